"""Layer 2: the API. Requests out, events in, visible retries, what models cost.

May import: ``protocol``, ``settings``. Must not: know the loop, tools, the journal. ``anthropic`` is imported only
in ``anthropic_client.py``, ``httpx2`` only in ``transport.py``, both late.
"""
