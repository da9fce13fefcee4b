"""The Explore page: a question, its groups, their passages and the map."""
