/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Shares in memcached, one instance each: over xmemcached, and an administration connection that
 * resizes the instance. Also a second level in a fleet that application servers share, over
 * pipelined connections.
 */
package dev.manx.client.memcached;
