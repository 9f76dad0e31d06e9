/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Shares in Redis or Valkey, one instance each, and invalidations by its publish and subscribe:
 * over lettuce.
 */
package dev.manx.client.redis;
