/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments on nodes of Apache Cassandra. */
package dev.manx.lab.kind.cluster;
