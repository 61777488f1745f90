"""Which file an import names: the interface of the finders, the lookups of a project, and what finders share."""
