/* SPDX-License-Identifier: Apache-2.0 */
/** Asks and shows: experiments, local clusters, statistics, reports and the one command line. */
package dev.manx.lab;
