/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Shares in Redis or Valkey, one instance each, invalidations by publish and subscribe, and a
 * second level that application servers share: over lettuce.
 */
package dev.manx.client.redis;
