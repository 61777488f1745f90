"""What is looked at: an answer on a map or as a graph. The views are made from web/ (`make views`)."""
