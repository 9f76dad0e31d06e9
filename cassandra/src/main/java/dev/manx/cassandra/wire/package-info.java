/* SPDX-License-Identifier: Apache-2.0 */
/** The additions that nodes with Manx make to messages: tags on reads, facts on answers. */
package dev.manx.cassandra.wire;
