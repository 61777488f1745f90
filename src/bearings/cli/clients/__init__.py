"""`bearings install` and `uninstall`: the servers in the configuration of other programs.

    catalog     the place and format of each client's configuration: a table, catalog.toml
    launch      the command that starts a server of this installation
    jsonc, toml edits of text that leave all other bytes alone
    documents   the content to write into a file, and how to find it again
    hooks       the entry that runs `bearings hook`
    files       one file: read, replaced whole, deleted
    receipts    records of installed content, for its removal
    changes     the effect of an install or uninstall, as data
    consent     permission to ask the public Nominatim
    command     the two commands: their questions and output

The modules are imported when one of the commands runs.
"""
