"""Agreement with independent programs on random cases."""
