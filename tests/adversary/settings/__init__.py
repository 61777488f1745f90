"""A project that supplies settings and programs: nothing of it is run, asked or opened."""
