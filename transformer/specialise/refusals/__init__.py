"""What is refused of a text before it runs, and in which words."""
