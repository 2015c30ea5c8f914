"""Drives the dashboard in a real Chromium, beside real programs and a real broker."""
