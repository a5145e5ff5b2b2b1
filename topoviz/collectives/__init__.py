"""Algorithms, one file each, that move data between all ranks of a topology.

An algorithm offers::

    COLLECTIVES: tuple[str, ...]     # what it can do: all-reduce, all-gather, reduce-scatter …
    def plan(topology: Topology, ranks: Sequence[str], collective: str, *, rates: str = "line") -> Plan

``ranks`` are ids of GPUs in rank order. ``rates`` is ``line`` (line rates) or ``nccl``
(what NCCL's search counts). A plan that cannot be made raises PlanError and says why.
``plan.py`` is the record, ``network.py`` what the algorithms walk on, ``cost.py`` the arithmetic.
"""
