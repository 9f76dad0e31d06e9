/* SPDX-License-Identifier: Apache-2.0 */
/** Virtual time, events and random streams. */
package dev.manx.simulator.kernel;
