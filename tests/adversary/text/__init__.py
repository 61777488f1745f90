"""Text that hides: in a repository, in an upstream's places, over every transport and in every command."""
