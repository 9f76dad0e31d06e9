/* SPDX-License-Identifier: Apache-2.0 */
/** What coordinators tell each other of nodes and large keys. */
package dev.manx.cassandra.exchange;
