/* SPDX-License-Identifier: Apache-2.0 */
/** Shows from outside how the threads of a process affect each other. */
package dev.manx.contention.watch;
