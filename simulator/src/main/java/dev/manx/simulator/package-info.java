/* SPDX-License-Identifier: Apache-2.0 */
/** Plays a workload against a strategy in virtual time on a modelled cluster, with checkers. */
package dev.manx.simulator;
