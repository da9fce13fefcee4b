"""The gate by which a question decides how its hits divide: learnt and measured."""
