/* SPDX-License-Identifier: Apache-2.0 */
/** Second copies of late reads: armed when a read is sent, sent by a separate timer. */
package dev.manx.cassandra.copy;
