"""The plan of limits: from what the server uses, never above what assay itself may."""

from __future__ import annotations

import resource

from assay.sandbox.inside import limits
from assay.sandbox.inside.protocol import UNSET, Spawn

UNLIMITED = dict.fromkeys(range(16), resource.RLIM_INFINITY)
MIB = 1 << 20


def plan(spawn, **changes):
    facts = {"address_space_bytes": 50 * MIB, "data_bytes": 8 * MIB, "counts_processes": True, "hard": UNLIMITED}
    return {kind: value for kind, (value, _) in limits.plan(spawn, limits.Ceiling(**{**facts, **changes}))}


SPAWN = Spawn(1, 0, 5.0, 2.5, 50.0, 100, 32, 64, 16, 48)


def test_memory_counts_from_what_the_server_uses():
    assert plan(SPAWN)[resource.RLIMIT_DATA] == 108 * MIB
    assert plan(SPAWN)[resource.RLIMIT_AS] > plan(SPAWN)[resource.RLIMIT_DATA]


def test_where_the_server_watches_the_kernel_leaves_room_for_what_is_only_reserved():
    watched = plan(SPAWN, watched=True)
    assert watched[resource.RLIMIT_DATA] == (108 * MIB) + limits.UNTOUCHED_BYTES
    assert watched[resource.RLIMIT_AS] > watched[resource.RLIMIT_DATA]
    assert watched[resource.RLIMIT_NPROC] == 32 + limits.IDLE_THREADS


def test_the_kernels_own_cpu_limit_stands_behind_the_servers():
    assert plan(SPAWN)[resource.RLIMIT_CPU] == 7
    assert plan(SPAWN._replace(cpu_s=UNSET))[resource.RLIMIT_CPU] > 3600


def test_no_limit_is_above_the_inherited_one():
    hard = {**UNLIMITED, resource.RLIMIT_NOFILE: 20}
    assert plan(SPAWN, hard=hard)[resource.RLIMIT_NOFILE] == 20


def test_processes_are_counted_only_where_the_count_is_the_samples_own():
    assert plan(SPAWN)[resource.RLIMIT_NPROC] == 32
    assert resource.RLIMIT_NPROC not in plan(SPAWN, counts_processes=False)
