"""`bearings hook CLIENT`: a client runs it after its grep, to add what the index knows beyond the result.

    entry     the process: a deadline, stdin, stdout, always status 0
    payload   a client's JSON → the search and its result
    shell     a grep in a shell's command
    pattern   a regular expression → the identifier that it looks for
    project   the stored graph of the searched directory
    addition  the addition, in at most 400 characters

A client waits for this on every call, so it imports little: neither `click` nor settings nor engines.
"""
