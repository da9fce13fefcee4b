"""Learning what headings people write: the file that the namer ships with, made anew."""
