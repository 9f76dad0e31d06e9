/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments on strategies for threads that wait for each other, under a squeeze. */
package dev.manx.lab.kind.idle;
