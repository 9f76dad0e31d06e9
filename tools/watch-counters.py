# SPDX-License-Identifier: Apache-2.0
"""Writes the sums of Manx's counters on 127.0.0.1, over all nodes that run there one after another.

usage: watch-counters.py FILE; ends at SIGTERM. FILE is a JSON object: counter -> sum over the boots. It is
the proof that the nodes of a suite ran with Manx, or without: then it is empty.
"""

import json
import logging
import signal
import sys
import time

from cassandra.cluster import Cluster, ExecutionProfile, EXEC_PROFILE_DEFAULT
from cassandra.policies import WhiteListRoundRobinPolicy

ADDRESS = "127.0.0.1"


def counters():
    """The counters of the node that answers now; empty without Manx."""
    profile = ExecutionProfile(WhiteListRoundRobinPolicy([ADDRESS]), request_timeout=5)
    cluster = Cluster(
        [ADDRESS],
        execution_profiles={EXEC_PROFILE_DEFAULT: profile},
        schema_metadata_enabled=False,
        token_metadata_enabled=False,
        connect_timeout=5,
    )
    try:
        rows = cluster.connect().execute("SELECT * FROM manx.counters")
        return {row.name: row.value for row in rows}
    finally:
        cluster.shutdown()


def main(path):
    logging.disable(logging.CRITICAL)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    ended, now = {}, {}
    while True:
        try:
            seen = counters()
        except Exception:  # no node, or none that lets a stranger in: look again
            seen = None
        if seen:
            if any(seen.get(name, 0) < value for name, value in now.items()):
                ended = {name: ended.get(name, 0) + now.get(name, 0) for name in {*ended, *now}}
            now = seen
            total = {name: ended.get(name, 0) + now.get(name, 0) for name in {*ended, *now}}
            with open(path, "w", encoding="utf-8") as file:
                json.dump(total, file, indent=1, sort_keys=True)
        time.sleep(3)


main(sys.argv[1])
