/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * An end-to-end test on {@link ThreeNodes}, which its methods may have as a parameter. One such
 * class runs at a time, in parallel with one of those with {@link OwnNodes}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("e2e")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("the three shared nodes")
@ExtendWith(ThreeNodes.Fixture.class)
@interface SharedNodes {}
