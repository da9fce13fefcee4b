"""The HTTP API under ``/api/v1``: the JSON of the command line, for programs.

``application`` puts it together; ``schema`` says what comes back, ``problems`` what an error looks
like, ``identity`` who asks. The other modules hold the addresses, by what they are about.
"""
