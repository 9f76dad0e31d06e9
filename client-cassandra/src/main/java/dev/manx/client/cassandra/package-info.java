/* SPDX-License-Identifier: Apache-2.0 */
/** Loads from Apache Cassandra with its Java driver. */
package dev.manx.client.cassandra;
