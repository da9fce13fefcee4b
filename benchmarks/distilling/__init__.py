"""Encoders tuned on labelled queries, and one encoder distilled from several."""
