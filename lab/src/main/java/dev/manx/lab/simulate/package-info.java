/* SPDX-License-Identifier: Apache-2.0 */
/** Experiments on the simulator: read, swept, run on all cores, written as result files. */
package dev.manx.lab.simulate;
