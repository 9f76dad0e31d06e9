/* SPDX-License-Identifier: Apache-2.0 */
/** The choice of requests that Manx acts on during a trial; the others are the control group. */
package dev.manx.cassandra.canary;
