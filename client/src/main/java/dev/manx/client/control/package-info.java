/* SPDX-License-Identifier: Apache-2.0 */
/** The control loop: records the results of requests, and moves space between the shares. */
package dev.manx.client.control;
