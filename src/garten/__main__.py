"""``python -m garten`` is ``garten``."""

from garten.cli import main

if __name__ == "__main__":
    main()
