"""What questions in free text are taken for, and how they are answered."""
