/* SPDX-License-Identifier: Apache-2.0 */
/** The connection options of every command, and the clusters file. */
package dev.manx.operate.connect;
