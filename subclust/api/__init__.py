"""What ``import subclust`` offers; the names themselves are those of `subclust`.

``results`` holds what comes back, ``texts`` groups texts at hand, and ``libraries`` opens, fills
and searches libraries. The command line and the pages are built on the same functions.
"""
