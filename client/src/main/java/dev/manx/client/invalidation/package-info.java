/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Invalidations that reach the other servers of an application, and recovery of a server that may
 * have missed some.
 */
package dev.manx.client.invalidation;
