"""`python -m bearings`."""

from bearings.cli.main import main

main()
