"""Answers of the analyses as plain data. One topic a module."""
