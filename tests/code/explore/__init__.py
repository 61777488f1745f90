"""Questions in free text: how they are understood and answered."""
