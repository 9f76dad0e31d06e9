/* SPDX-License-Identifier: Apache-2.0 */
/** Application servers that divide a cache among their backends, in virtual time. */
package dev.manx.simulator.cache;
