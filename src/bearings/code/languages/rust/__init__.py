"""Rust, a declared language."""
