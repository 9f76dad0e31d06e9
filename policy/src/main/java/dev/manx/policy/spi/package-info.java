/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How a policy describes itself to the registry: name, summary, settings and factory stand in the
 * policy's own class as one {@link dev.manx.policy.spi.PolicyInfo}.
 */
package dev.manx.policy.spi;
