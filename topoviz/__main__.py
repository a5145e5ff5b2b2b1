"""``python -m topoviz``."""

from topoviz.cli import main

if __name__ == "__main__":
    main()
