/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Descriptions of workloads: keys, values, popularity, fan-out, arrivals, and the resulting
 * requests.
 */
package dev.manx.workload;
