"""When a phase is due: deadlines, pauses, reminders, the muster, and halts of the whole server."""
