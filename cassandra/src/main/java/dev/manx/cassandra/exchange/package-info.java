/* SPDX-License-Identifier: Apache-2.0 */
/** Messages between coordinators about nodes and large keys. */
package dev.manx.cassandra.exchange;
