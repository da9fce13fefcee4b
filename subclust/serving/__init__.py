"""What pages and API are served behind: who is let in, what is noted, whether the server is well.

``guards`` lists what every request passes, in order. Nothing here draws or answers a question.
"""
