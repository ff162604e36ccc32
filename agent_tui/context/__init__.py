"""Layer 2b: what the model is shown: system prompt, memory files, window accounting, the request itself.

May import: ``protocol``, ``settings``, ``journal``, ``model``. Must not: call the API, know tools or the loop.
"""
