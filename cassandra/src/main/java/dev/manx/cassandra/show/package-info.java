/* SPDX-License-Identifier: Apache-2.0 */
/** Shows and switches the plugin by virtual tables and JMX. */
package dev.manx.cassandra.show;
