/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A second level that all servers of an application share, below the stores in their heaps: what
 * one has loaded the others find, also after a deploy.
 */
package dev.manx.client.level;
