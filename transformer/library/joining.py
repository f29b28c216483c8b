"""Arrays joined to one."""
