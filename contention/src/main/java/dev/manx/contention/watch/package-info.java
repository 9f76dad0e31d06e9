/* SPDX-License-Identifier: Apache-2.0 */
/** Shows from outside what the threads of a process do to each other. */
package dev.manx.contention.watch;
