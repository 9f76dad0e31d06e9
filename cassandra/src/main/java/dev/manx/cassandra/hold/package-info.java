/* SPDX-License-Identifier: Apache-2.0 */
/** Reads that wait at their coordinator before they leave, on a timer of Manx's own. */
package dev.manx.cassandra.hold;
