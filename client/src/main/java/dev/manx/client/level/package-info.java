/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A second level that all servers of an application share, below the stores in their heaps: a value
 * loaded by one server is available to the others, also after a deployment.
 */
package dev.manx.client.level;
