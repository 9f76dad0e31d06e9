/* SPDX-License-Identifier: Apache-2.0 */
/** Autoconfiguration of a fan-out cache for Spring Boot 4. */
package dev.manx.client.spring;
