/* SPDX-License-Identifier: Apache-2.0 */
/** Data about processes and their threads from Linux's /proc. */
package dev.manx.contention.proc;
