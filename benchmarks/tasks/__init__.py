"""Tasks on unknown packages: what readers answer with the tools, with text search, and with a shell that has both.

`questions.toml` holds the questions and the verified answers; a reader works at `desk` and never sees the answers; what
was asked is kept in `recordings`, and `score` makes the table of it.
"""


def main() -> str:
    """The table, of what is recorded."""
    from benchmarks.tasks.score import report

    return report()
