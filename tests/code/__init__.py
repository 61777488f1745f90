# ruff: noqa: A005 - it is tests.code, and hides nothing
