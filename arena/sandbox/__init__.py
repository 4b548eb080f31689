"""The lock-down of a player's process by the Linux kernel. May import the room process."""
