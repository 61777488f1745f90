"""What the program is made of besides our own code: licences, locks, the image."""
