/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;

/**
 * The answer of a loader, completed by a test once the cache listens to it: then its effects on the
 * completing thread have happened on return.
 */
final class LoaderAnswer extends CompletableFuture<Map<Integer, String>> {
  /* Not as soon as there is a dependent: the thread that adds it may be the one that runs it, if
   * the answer comes in between. */
  private final CountDownLatch listens = new CountDownLatch(1);

  @Override
  public CompletableFuture<Map<Integer, String>> whenComplete(
      BiConsumer<? super Map<Integer, String>, ? super Throwable> action) {
    CompletableFuture<Map<Integer, String>> then = super.whenComplete(action);
    listens.countDown();
    return then;
  }

  private void awaitListener() {
    try {
      listens.await();
    } catch (InterruptedException e) {
      throw new AssertionError("the cache does not listen to the loader's answer", e);
    }
  }

  @Override
  public boolean complete(Map<Integer, String> values) {
    awaitListener();
    return super.complete(values);
  }

  @Override
  public boolean completeExceptionally(Throwable why) {
    awaitListener();
    return super.completeExceptionally(why);
  }
}
