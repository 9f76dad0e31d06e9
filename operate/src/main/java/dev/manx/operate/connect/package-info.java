/* SPDX-License-Identifier: Apache-2.0 */
/** The connection options of every command, and the file of named clusters. */
package dev.manx.operate.connect;
