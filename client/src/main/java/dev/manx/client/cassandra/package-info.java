/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Loads from Apache Cassandra by its Java driver; needs java-driver-core, which is an optional
 * dependency.
 */
package dev.manx.client.cassandra;
