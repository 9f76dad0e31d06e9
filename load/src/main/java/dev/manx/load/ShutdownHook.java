/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import java.util.function.Supplier;

/** A task that runs at the end of the JVM, Ctrl-C included, unless removed before. */
public final class ShutdownHook {
  private final Thread thread;
  private volatile boolean added;

  /** Not added yet. */
  public ShutdownHook(String name, Runnable task) {
    thread = new Thread(task, name);
  }

  /** Adds the task to the end of the JVM. */
  public void add() {
    Runtime.getRuntime().addShutdownHook(thread);
    added = true;
  }

  /** Runs some work; if the JVM ends meanwhile, the task runs too. */
  public <T> T during(Supplier<T> work) {
    add();
    try {
      return work.get();
    } finally {
      remove();
    }
  }

  /** Whether the task is set to run at the end of the JVM, or is running. */
  public boolean isAdded() {
    return added;
  }

  /** Returns false if the JVM is ending, which runs the task. */
  public boolean remove() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
      added = false;
      return true;
    } catch (IllegalStateException e) {
      return false;
    }
  }
}
