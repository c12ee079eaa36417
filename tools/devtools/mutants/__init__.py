"""Faults that are put into the code that decides trust, to see whether the checks notice them."""
