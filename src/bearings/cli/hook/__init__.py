"""`bearings hook CLIENT`: what a client runs after its grep, to hear what the index knows beyond the result.

    entry     the process: a deadline, stdin, stdout, always status 0
    payload   a client's JSON → what was searched, and what the result shows
    shell     a grep in a shell's command
    pattern   a regular expression → the identifier that it looks for
    project   which kept graph the search was in
    said      what is worth saying, in at most 400 characters

A client waits for this on every call, so it imports little; `click`, settings and engines are not among it.
"""
