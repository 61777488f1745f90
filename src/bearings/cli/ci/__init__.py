"""`bearings code ci` and `bearings code pre-commit`: a change checked in one run, for CI and for git's hooks.

`base` finds the commit to compare with, `review` asks the tools, `outputs` writes what they answered, `runners` turns
test files into arguments. `command` and `hooks` are the commands.
"""
