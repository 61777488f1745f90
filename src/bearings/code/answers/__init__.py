"""The answers of the analyses as plain data, one module for each topic."""
