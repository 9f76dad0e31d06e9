/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments {@code on: idle}: ways for threads to wait for each other, under a squeeze. */
package dev.manx.lab.idle;
