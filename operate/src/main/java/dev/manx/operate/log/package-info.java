/* SPDX-License-Identifier: Apache-2.0 */
/** The nodes' decision logs: recorded for a limited time, and fetched to this machine. */
package dev.manx.operate.log;
