"""The subject of a question in free text: places in a trace, a route, a commit, an element, or words."""
