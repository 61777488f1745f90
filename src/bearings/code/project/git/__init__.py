"""Git repositories as data: objects, index and refs, never configuration that names a program.

A repository's configuration can name programs (filters, fsmonitor, diff drivers, hooks, pagers, remote helpers), and
git runs some of them even to compare a file. Therefore git never sees the repository's own directory here. It gets an
empty git directory (`empty/`) with the project's objects, index and work tree, a cleared environment, and one of three
commands that run no programs: `ls-files`, `ls-tree`, `cat-file`. Python code reads refs and compares bytes
(docs/decisions/0014-git-as-data.md).

    config.py       the few variables of a configuration that are read
    repository.py   the git directory, and the checks before reading it
    plumbing.py     the three commands
    refs.py         name of a commit → its object
    files.py        the files of a tree
    worktree.py     entries of the index, and the present content of files
    hunks.py        changed lines, and similar files
    comparing.py    files that differ from a commit
    history.py      the difference between the work tree and a commit
"""
