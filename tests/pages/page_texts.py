"""What a page says, without what Markdown escapes."""


def rows(page):
    """Give the rows of all tables, each with its name first."""
    frames = (table.value.reset_index() for table in page.table)
    cells = (row for frame in frames for row in frame.values.tolist())
    return [[str(cell).replace("\\", "") for cell in row] for row in cells]


def texts(page):
    written = (page.title, page.header, page.subheader, page.markdown, page.caption)
    found = [one.value.replace("\\", "") for kind in written for one in kind]
    found += [" | ".join(row) for row in rows(page)]
    return " ".join([*(one.proto.body for one in page.get("html")), *found])
