"""Resolves facts to edges. Takes facts, never a store.

An import names a file (`modules/`), a name means a declaration (`names/`), and an object has members (`types/`): these
give each expression a Referent, the meaning that edges are made of (`edges/`, `endpoints/`). What differs between
languages is in `rules/`. After an edit, `resolver.py` resolves only the files that may notice it (`edits/`).
"""
