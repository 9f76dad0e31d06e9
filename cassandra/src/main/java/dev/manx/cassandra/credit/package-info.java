/* SPDX-License-Identifier: Apache-2.0 */
/** The credits of {@code fanout.brb-credits} between nodes. */
package dev.manx.cassandra.credit;
