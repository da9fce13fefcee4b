"""What ``import subclust`` offers; the names themselves are those of `subclust`.

``results`` holds what comes back, ``texts`` groups texts at hand, ``libraries`` opens, fills and
searches libraries, ``training`` trains a method, and ``judging`` judges it. The command line and
the pages are built on the same functions: ``labelled`` reads labelled sets and ``runs`` trains on
them.
"""
