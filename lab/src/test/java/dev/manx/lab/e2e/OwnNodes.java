/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * An end-to-end test that boots separate nodes, at {@code 127.0.0.1} and the addresses after it,
 * where {@code ./manx} boots them too, or shares a {@link GuestNode}. One such class runs at a
 * time, in parallel with one of those that share {@link ThreeNodes}; {@link
 * org.junit.jupiter.api.parallel.Isolated} runs a class that tests the load of the cores alone.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("e2e")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(OwnNodes.LOCK)
@interface OwnNodes {
  /** Held by one class at a time. */
  String LOCK = "nodes at 127.0.0.1";
}
