"""The code-intelligence wing: what a codebase holds, what calls what, and what a change reaches."""
