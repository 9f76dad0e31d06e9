/* SPDX-License-Identifier: Apache-2.0 */
/** Findings about a running cluster, and about a Cassandra folder before it starts. */
package dev.manx.operate.check;
