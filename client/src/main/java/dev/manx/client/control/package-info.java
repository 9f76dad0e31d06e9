/* SPDX-License-Identifier: Apache-2.0 */
/** The control loop: records what requests met, and moves space between the shares. */
package dev.manx.client.control;
