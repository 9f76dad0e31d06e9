/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments on the simulator. */
package dev.manx.lab.kind.simulator;
