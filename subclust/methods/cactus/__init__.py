"""Context-aware clustering: sets are encoded together, and compared by what they became."""
