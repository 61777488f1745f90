"""What an edit of a file changes for the other files of a project."""
