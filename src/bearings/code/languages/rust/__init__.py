"""Rust, by declaration."""
