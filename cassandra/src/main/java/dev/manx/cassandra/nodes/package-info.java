/* SPDX-License-Identifier: Apache-2.0 */
/** Small ints for endpoints and hashes for keys, as needed by the policies. */
package dev.manx.cassandra.nodes;
