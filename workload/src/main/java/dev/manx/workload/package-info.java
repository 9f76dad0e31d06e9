/* SPDX-License-Identifier: Apache-2.0 */
/** Describes work: keys, values, popularity, fan-out, arrivals, and the requests made of them. */
package dev.manx.workload;
