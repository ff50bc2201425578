"""When a phase is due: clocks, lengths of time, deadlines and reminders. Reads no clock."""
