/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Guesses about a key before it is read: the size of its value, its popularity, the service time
 * that follows.
 */
package dev.manx.policy.oracle;
