"""What replicas share, over a real Redis."""
