"""What our boxes are for: servers of elevation and imagery that take them."""
