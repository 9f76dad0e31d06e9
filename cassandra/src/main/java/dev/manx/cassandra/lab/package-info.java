/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A model of slow storage for experiments. It is in a jar of its own that production nodes never
 * get.
 */
package dev.manx.cassandra.lab;
