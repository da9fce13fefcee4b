"""The laboratory: what the papers published and what was measured here, and how."""
