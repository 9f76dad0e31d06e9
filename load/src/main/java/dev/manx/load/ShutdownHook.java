/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

/** A task that the end of the JVM runs, Ctrl-C included, unless it is removed before. */
public final class ShutdownHook {
  private final Thread thread;
  private volatile boolean added;

  /** Not added yet. */
  public ShutdownHook(String name, Runnable task) {
    thread = new Thread(task, name);
  }

  /** From now on the end of the JVM runs the task. */
  public void add() {
    Runtime.getRuntime().addShutdownHook(thread);
    added = true;
  }

  /** Whether the end of the JVM would run the task, or runs it. */
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
