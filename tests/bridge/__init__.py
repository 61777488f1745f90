"""Bounding boxes as input of servers for elevation and imagery."""
