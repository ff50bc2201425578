"""The way in: a mail fetched, stored, worked on in one transaction, and answered."""
