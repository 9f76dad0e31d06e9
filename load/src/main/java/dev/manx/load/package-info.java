/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Drives real systems open-loop: requests start when the workload intends them to, whatever became
 * of the earlier ones, and their latency counts from then.
 */
package dev.manx.load;
