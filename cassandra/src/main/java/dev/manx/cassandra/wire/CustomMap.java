/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.ParamType;

/** Manx's one entry in a message's custom map; a stock peer ignores the map. */
public final class CustomMap {
  private static final String KEY = "manx";

  private CustomMap() {}

  /** What a peer's Manx put into a message, or null. */
  public static byte[] get(Message.Header header) {
    Map<String, byte[]> map = header.customParams();
    return map == null ? null : map.get(KEY);
  }

  /** A copy of the message with Manx's entry; id, flags, expiry and other entries stay. */
  static <T> Message<T> with(Message<T> message, byte[] value) {
    Map<String, byte[]> old = message.header.customParams();
    Map<String, byte[]> map;
    if (old == null || old.isEmpty()) {
      map = Collections.singletonMap(KEY, value);
    } else {
      map = new HashMap<>(old);
      map.put(KEY, value);
    }
    return message.withParam(ParamType.CUSTOM_MAP, map);
  }
}
