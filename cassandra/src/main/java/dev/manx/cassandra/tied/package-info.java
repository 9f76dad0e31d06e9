/* SPDX-License-Identifier: Apache-2.0 */
/** Tied copies: a read that waits at its replica is passed on; the copy that starts first wins. */
package dev.manx.cassandra.tied;
