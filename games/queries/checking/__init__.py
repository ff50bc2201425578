"""Whether a game is as its log has it: of a document or of the database, without Django."""
