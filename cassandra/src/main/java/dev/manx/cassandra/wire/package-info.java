/* SPDX-License-Identifier: Apache-2.0 */
/** What nodes with Manx add to each other's messages: tags on reads, facts on answers. */
package dev.manx.cassandra.wire;
