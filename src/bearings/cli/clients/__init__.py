"""`bearings install` and `uninstall`: our servers in the configuration of other programs.

    catalog     where each client keeps its configuration, and in what shape
    launch      the command that starts a server of this installation
    jsonc, toml edits of text that keep all other bytes
    documents   what is written into a file, and how it is found there again
    hooks       the entry that runs `bearings hook`
    files       one file: read, replaced whole, deleted
    receipts    what was written where, so that it can be taken back
    changes     what an install or uninstall would do, as data
    consent     whether the public Nominatim may be asked
    command     the two commands: what they ask and say

Each is imported when one of the commands runs.
"""
