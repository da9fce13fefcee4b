"""Other wordings of a text, for methods that learn from a text and its like without labels."""
