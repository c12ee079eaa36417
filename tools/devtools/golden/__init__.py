"""Asks independent programs again and freezes their answers under fixtures/."""
