"""Players of strangers, confined by the Linux kernel."""
