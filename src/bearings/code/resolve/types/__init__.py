"""What an object is: its type, members, elements, and the results of calls."""
