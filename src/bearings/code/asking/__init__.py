"""What every question needs in the process that was asked: the project, the engine, a reply within its budget."""
