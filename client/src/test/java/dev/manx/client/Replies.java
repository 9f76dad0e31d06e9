/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A backend whose calls the test takes one by one, on any thread. */
final class Replies implements Loader<Integer, String> {
  record Call(List<Integer> keys, LoaderAnswer answer) {
    /** Answers every key with this text and the key. */
    void with(String text) {
      Map<Integer, String> values = new HashMap<>();
      keys.forEach(key -> values.put(key, text + key));
      answers(values);
    }

    void answers(Map<Integer, String> values) {
      answer.complete(values);
    }

    void fails() {
      failsWith(new IllegalStateException("down"));
    }

    void failsWith(Throwable why) {
      answer.completeExceptionally(why);
    }
  }

  private final BlockingQueue<Call> calls = new LinkedBlockingQueue<>();

  @Override
  public CompletionStage<Map<Integer, String>> loadAll(List<Integer> keys) {
    Call call = new Call(List.copyOf(keys), new LoaderAnswer());
    calls.add(call);
    return call.answer;
  }

  /** The next call, within 20 s. */
  Call next() throws InterruptedException {
    Call call = calls.poll(20, TimeUnit.SECONDS);
    if (call == null) {
      throw new AssertionError("the backend was not asked");
    }
    return call;
  }

  /** Whether the test has taken every call. */
  boolean quiet() {
    return calls.isEmpty();
  }
}
