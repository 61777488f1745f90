"""Patterns in code, one detector a module. Each reads facts and edges alone, and rather misses one than invents it."""
