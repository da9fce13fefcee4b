"""Files that would fill the memory, and how much of it is taken."""

import io
import threading
import zipfile

import psutil


def workbook_of(**parts):
    """Make a workbook of which some parts are others: ``worksheets__sheet1=b"..."``."""
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default '
        'Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
        "</Types>"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("[Content_Types].xml", types)
        archive.writestr("xl/workbook.xml", "<workbook/>")
        for name, data in parts.items():
            archive.writestr(f"xl/{name.replace('__', '/')}.xml", data)
    return packed.getvalue()


class Memory:
    """The bytes that this process takes at most while a block runs, looked at every few ms."""

    def __enter__(self):
        self._process, self._ended = psutil.Process(), threading.Event()
        self.before = self.most = self._process.memory_info().rss
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()

    def _watch(self):
        while not self._ended.wait(0.005):
            self.most = max(self.most, self._process.memory_info().rss)
