"""CodeRefs of a project: written as tags, checked against the elements, followed when an element moves."""
