"""What the analyses answer, as plain data: a topic a module."""
