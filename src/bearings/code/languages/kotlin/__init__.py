"""Kotlin, a declared language."""
