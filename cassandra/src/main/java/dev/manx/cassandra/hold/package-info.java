/* SPDX-License-Identifier: Apache-2.0 */
/** Reads that wait at their coordinator before they are sent, on a separate timer. */
package dev.manx.cassandra.hold;
