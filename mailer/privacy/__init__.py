"""What we keep about people, for how long, and how they get it or have it emptied."""
