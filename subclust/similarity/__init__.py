"""How alike two passages of a query are; higher is closer."""
