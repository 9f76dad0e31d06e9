/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Invalidations that reach the other servers of an application, and what a server does when it may
 * have missed one.
 */
package dev.manx.client.invalidation;
