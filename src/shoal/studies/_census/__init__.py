"""What the studies on Adult share: its people, simulated experts, four models, two scores.

One file depends on those before it: ``_people``, ``_models``, ``_scoring``, ``_experts``,
``_interviews``, and ``_gains``, which averages what experts' weights change.
"""
