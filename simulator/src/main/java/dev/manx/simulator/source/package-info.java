/* SPDX-License-Identifier: Apache-2.0 */
/** Where requests come from: their reads, keys and sizes, without their times. */
package dev.manx.simulator.source;
