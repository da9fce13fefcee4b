"""What a page says, without what Markdown escapes."""


def texts(page):
    written = (page.title, page.header, page.subheader, page.markdown, page.caption)
    found = [one.value.replace("\\", "") for kind in written for one in kind]
    return " ".join([*(one.proto.body for one in page.get("html")), *found])
