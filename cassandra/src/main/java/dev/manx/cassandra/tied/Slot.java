/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * A read that this node coordinates and that two replicas may answer: what its first one was sent,
 * or what waits here.
 *
 * @param id that the answer of a copy has
 * @param first where it was sent; this node if it waits here
 * @param peer where its copy goes
 * @param ticket its ticket's id
 * @param node the first replica's id
 * @param rank what it is ranked by
 * @param atHome what waits here; null if it was sent
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
