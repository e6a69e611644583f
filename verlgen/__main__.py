"""Lets `python -m verlgen` do what `verlgen` does."""

from verlgen.cli.main import main

if __name__ == "__main__":
    main()
