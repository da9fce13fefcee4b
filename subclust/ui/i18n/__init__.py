"""The interface in English and German."""
