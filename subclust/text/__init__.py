"""From documents to the passages that answer a query: reading, embedding, storing, finding."""
