/* SPDX-License-Identifier: Apache-2.0 */
/** Load on the statistics server. */
package dev.manx.lab.rbc;
