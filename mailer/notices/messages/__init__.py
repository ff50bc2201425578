"""Press, letters to and from moderators, and what somebody missed while they were away."""
