/* SPDX-License-Identifier: Apache-2.0 */
/** Writes the decision log of a node. */
package dev.manx.cassandra.record;
