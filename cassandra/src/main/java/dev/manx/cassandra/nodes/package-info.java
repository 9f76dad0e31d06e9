/* SPDX-License-Identifier: Apache-2.0 */
/** Small ints for endpoints and hashes for keys, as the policies want them. */
package dev.manx.cassandra.nodes;
