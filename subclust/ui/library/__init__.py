"""The Library page: libraries, imports, live sources, backups."""
