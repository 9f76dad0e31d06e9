/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments on ways for threads to wait for each other, under a squeeze. */
package dev.manx.lab.kind.idle;
