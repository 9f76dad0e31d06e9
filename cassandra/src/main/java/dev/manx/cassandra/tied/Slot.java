/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * A read that this node coordinates and that two replicas may answer: the message to its first
 * replica, or the read that waits here.
 *
 * @param id the id of a copy's answer
 * @param first the first replica; this node if the read waits here
 * @param peer the replica of its copy
 * @param ticket its ticket's id
 * @param node the first replica's id
 * @param rank its rank
 * @param atHome the read that waits here; null if it was sent
 */
record Slot(
    Engine engine,
    long id,
    InetAddressAndPort first,
    InetAddressAndPort peer,
    long ticket,
    int node,
    long rank,
    long sentNanos,
    long expiresNanos,
    FirstRead atHome) {}
