"""The program's third-party parts: licences, locks, the image."""
