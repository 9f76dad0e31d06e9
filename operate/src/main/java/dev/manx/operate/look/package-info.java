/* SPDX-License-Identifier: Apache-2.0 */
/** What every node of a cluster says of itself, read over CQL. */
package dev.manx.operate.look;
