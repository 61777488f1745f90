"""Git read as data: objects, index and refs, never configuration that names a program.

A repository's configuration can name programs (filters, fsmonitor, diff drivers, hooks, pagers, remote helpers), and
git runs some of them even to compare a file. So git never sees the repository's own directory here. It is given an
empty directory of ours (`empty/`) with the project's objects, index and work tree beside it, a cleared environment,
and three commands that run nothing: `ls-files`, `ls-tree`, `cat-file`. Refs are read, and bytes are compared, by us
(docs/decisions/0014-git-as-data.md).

    config.py       the few lines of a configuration that are read
    repository.py   where the git directory is, and whether it may be read
    plumbing.py     the three commands
    refs.py         the name of a commit → its object
    files.py        which files a tree has
    worktree.py     what the index says of files, and what they hold now
    hunks.py        which lines differ, and which files are alike
    comparing.py    which files differ from a commit's
    history.py      how the work tree differs from a commit
"""
