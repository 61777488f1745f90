"""`python -m bearings`."""

from bearings.cli.main import main

if __name__ == "__main__":
    main()
