/* SPDX-License-Identifier: Apache-2.0 */
/** Sources of requests: their reads, keys and sizes, without their times. */
package dev.manx.simulator.source;
