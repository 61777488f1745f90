"""A portable index: the snapshot of a commit as one file, which another machine checks and begins with.

    data = exported(CommitTree(root, None, "HEAD"), store, max_file_bytes, progress)
    imported(data, root, cache_dir, max_file_bytes, progress)

It holds what takes long to find: the facts of each file, what the file uses, and what was consulted for that. All else
(listing, digests, manifests, summaries, tables) follows from the files here and is made here. What is imported is
stored as the snapshot of the commit, and worktrees and commits of the repository begin with it as with any other one
(see snapshot_store.py): each source is read and compared.

An import trusts nothing. Types, sizes and numbers are checked; facts and uses of some files drawn at random, or of all
with `verify`, are found here again and compared. One difference refuses the whole file, and then nothing is stored.
"""
