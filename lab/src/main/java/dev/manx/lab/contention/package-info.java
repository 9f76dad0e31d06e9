/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Experiments on a storage engine whose threads are confined and prioritized: read, run in
 * interleaved rounds, written as result files.
 */
package dev.manx.lab.contention;
