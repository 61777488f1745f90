"""References in a project: written as tags, checked against what is there, followed when it has moved."""
