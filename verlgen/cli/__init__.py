"""One thin file a command; nothing is imported before the command needs it."""
