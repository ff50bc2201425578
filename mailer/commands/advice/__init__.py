"""What people say in their own words, and which command does it.

There is a module for each subject and a row for each thing that people say. Put a new row with its
subject: `fitting.py` takes the first row that fits.
"""
