"""What the languages share: the builder of facts, the readers of trees, measures."""
