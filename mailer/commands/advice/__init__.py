"""What people say in their own words, and which command does it.

A module for each subject, with a row for each thing that people say; `fitting.py` finds the row.
New rows go where their subject is: `fitting.py` takes the first that fits.
"""
