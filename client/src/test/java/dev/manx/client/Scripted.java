/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A backend that answers when the test triggers it; by default the value of key k is "v" + k. */
final class Scripted implements Loader<Integer, String> {
  record Call(List<Integer> keys, LoaderAnswer answer) {
    void answerAll() {
      Map<Integer, String> values = new HashMap<>();
      keys.forEach(key -> values.put(key, "v" + key));
      answer.complete(values);
    }
  }

  final List<Call> calls = new CopyOnWriteArrayList<>();

  @Override
  public CompletionStage<Map<Integer, String>> loadAll(List<Integer> keys) {
    Call call = new Call(List.copyOf(keys), new LoaderAnswer());
    calls.add(call);
    return call.answer;
  }

  Call last() {
    return calls.get(calls.size() - 1);
  }
}
