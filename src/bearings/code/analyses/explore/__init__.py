"""What a question in free text is about: places in a trace, a route, a commit, an element, or words."""
