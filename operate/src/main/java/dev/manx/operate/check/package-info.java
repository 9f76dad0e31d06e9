/* SPDX-License-Identifier: Apache-2.0 */
/** Checks of a running cluster, and of a Cassandra folder before it starts. */
package dev.manx.operate.check;
