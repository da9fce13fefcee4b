"""Commands that search, group and compare."""
