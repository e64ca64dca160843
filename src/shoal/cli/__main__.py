"""``python -m shoal.cli`` is ``shoal``."""

import sys

from shoal.cli import main

if __name__ == "__main__":
    sys.exit(main())
