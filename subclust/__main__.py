"""Run the command line: ``python -m subclust``."""

import sys

from subclust.cli import main

if __name__ == "__main__":
    sys.exit(main())
