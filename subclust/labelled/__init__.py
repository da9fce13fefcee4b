"""Passages whose subtopics people or language models have given: sets of them, and corrections."""
