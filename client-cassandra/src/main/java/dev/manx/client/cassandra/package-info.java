/* SPDX-License-Identifier: Apache-2.0 */
/** Loads from Apache Cassandra by its Java driver. */
package dev.manx.client.cassandra;
