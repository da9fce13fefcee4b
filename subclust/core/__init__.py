"""What every room stands on: errors and messages, records, settings, files on disk."""
