/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Drives real systems open-loop: requests start at the times intended by the workload, regardless
 * of earlier ones, and latency counts from the intended start.
 */
package dev.manx.load;
