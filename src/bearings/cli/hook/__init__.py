"""`bearings hook CLIENT`: a client runs it after its grep or edit, or at a prompt, to add what the index knows.

    entry     the process: a deadline, stdin, stdout, always status 0
    payload   a client's JSON → the search and its result
    shell     a grep in a shell's command
    pattern   a regular expression → the identifiers that it looks for
    edit      a client's JSON → the edited files, and their text before
    project   the stored graph of a directory
    addition  what a search's result lacks, in at most 400 characters
    broken    the callers that an edit broke, in as many
    prompt    the likeliest places for a prompt's words, in as many

A client waits for this on every call, so it imports little: neither `click` nor settings. An engine, which runs git, is
imported at a prompt alone.
"""
