"""``python -m pincite`` is the command ``pincite``."""

from pincite.cli import main

if __name__ == "__main__":
    main()
