/* SPDX-License-Identifier: Apache-2.0 */
/**
 * OpenTelemetry spans of waiting queries, and loaders called in the context of their query.
 *
 * <pre>{@code
 * FanoutCache cache =
 *     FanoutCache.builder().tracing(OpenTelemetryTracing.of(openTelemetry)).open();
 * }</pre>
 *
 * <p>{@link dev.manx.client.opentelemetry.OpenTelemetryTracing} names the spans and their
 * attributes.
 */
package dev.manx.client.opentelemetry;
