/* SPDX-License-Identifier: Apache-2.0 */
/** What Linux tells of processes and their threads in /proc. */
package dev.manx.contention.proc;
