"""The way in: a mail fetched, stored, its sender identified, its commands carried out."""
