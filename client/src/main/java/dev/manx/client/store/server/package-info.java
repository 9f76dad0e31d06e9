/* SPDX-License-Identifier: Apache-2.0 */
/** Instances of memcached and Redis on this machine that end with this process. */
package dev.manx.client.store.server;
