/* SPDX-License-Identifier: Apache-2.0 */
/** Runs an experiment on a local cluster and writes its result files. */
package dev.manx.lab.run;
