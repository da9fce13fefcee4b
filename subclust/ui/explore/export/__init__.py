"""Exports and kept sessions of an answer."""
