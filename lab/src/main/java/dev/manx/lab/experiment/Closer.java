/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Closes several resources, the last one first: all of them, even if some fail. Confined to one
 * thread. For a start that may fail halfway:
 *
 * <pre>{@code
 * try (Closer<RuntimeException> undo = new Closer<>()) {
 *   Node node = Node.start();
 *   undo.add(node::close);
 *   Session session = node.open();
 *   undo.release();
 *   return session;
 * }
 * }</pre>
 *
 * @param <E> the checked exception of the closed resources; {@code RuntimeException} for none
 */
public final class Closer<E extends Exception> implements AutoCloseable {
  private final Deque<Step<? extends E>> open = new ArrayDeque<>();

  @FunctionalInterface
  public interface Step<E extends Exception> {
    void close() throws E;
  }

  /** Adds a resource to close before the earlier ones. */
  public void add(Step<? extends E> step) {
    open.push(step);
  }

  /** Releases the resources added so far without closing them: they have another owner. */
  public void release() {
    open.clear();
  }

  /**
   * Closes all.
   *
   * @throws E the first failure, with the others as suppressed; an {@link Error} precedes them
   */
  @Override
  public void close() throws E {
    Throwable first = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Throwable e) { // an Error must not keep the others open; it is thrown at the end
        first = worse(first, e);
      }
    }
    if (first != null) {
      throw thrown(first);
    }
  }

  /** The first failure, but errors before exceptions; the others are its suppressed exceptions. */
  private static Throwable worse(Throwable first, Throwable next) {
    if (first == null || first == next) {
      return next;
    }
    if (next instanceof Error && !(first instanceof Error)) {
      next.addSuppressed(first);
      return next;
    }
    first.addSuppressed(next);
    return first;
  }

  // A step throws this type or an unchecked exception, which is thrown as it is.
  @SuppressWarnings("unchecked")
  private E thrown(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    return (E) failure;
  }
}
