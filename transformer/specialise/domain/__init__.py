"""What values are, and how heaps are compared and joined."""
