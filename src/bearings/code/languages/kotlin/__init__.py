"""Kotlin, by declaration."""
