"""Code shared by all languages: the builder of facts, the syntax tree readers, the complexity measures."""
