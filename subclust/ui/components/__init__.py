"""What pages share: dialogs, errors, selections, addresses, what this visit remembers."""
