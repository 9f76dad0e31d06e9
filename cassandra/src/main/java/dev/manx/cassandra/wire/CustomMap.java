/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.wire;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.ParamType;

/**
 * Manx's entries in a message's custom map: one for tag or facts, one for tied copies; a stock peer
 * ignores the map. Entries of a node in shadow mode have a different name, so that a node that is
 * on does not act on its tags and knows that its order is not applied.
 */
public final class CustomMap {
  private static final String KEY = "manx";
  private static final String SHADOW_KEY = "manx.shadow";
  private static final String TIE_KEY = "manx.tie";
  private static final String SHADOW_TIE_KEY = "manx.shadow.tie";
  private static final String COPY_KEY = "manx.copy";

  private CustomMap() {}

  /** The facts in an answer, or null. */
  static byte[] facts(Message.Header header) {
    Map<String, byte[]> map = header.customParams();
    if (map == null) {
      return null;
    }
    byte[] facts = map.get(KEY);
    return facts == null ? map.get(SHADOW_KEY) : facts;
  }

  /** Whether a message has an entry of Manx for a node that acts, or for one that does not. */
  static boolean isFor(Message.Header header, boolean acting) {
    Map<String, byte[]> map = header.customParams();
    return map != null && (map.containsKey(KEY) || !acting && map.containsKey(SHADOW_KEY));
  }

  /** The tag of a read, or null; a replica that acts ignores tags of shadow mode. */
  public static byte[] tag(Message.Header header, boolean acting) {
    Map<String, byte[]> map = header.customParams();
    if (map == null) {
      return null;
    }
    byte[] tag = map.get(KEY);
    return tag == null && !acting ? map.get(SHADOW_KEY) : tag;
  }

  /** A copy of a read with its tag. */
  public static <T> Message<T> tagged(Message<T> message, byte[] tag, boolean acting) {
    return with(message, acting ? KEY : SHADOW_KEY, tag);
  }

  /** A copy of an answer with facts. */
  static <T> Message<T> withFacts(Message<T> message, byte[] facts, boolean acting) {
    return with(message, acting ? KEY : SHADOW_KEY, facts);
  }

  /** The permission to pass a read on, or null; from a sender in this node's mode. */
  public static byte[] tie(Message.Header header, boolean acting) {
    Map<String, byte[]> map = header.customParams();
    return map == null ? null : map.get(acting ? TIE_KEY : SHADOW_TIE_KEY);
  }

  /**
   * A copy of a read as sent by its coordinator.
   *
   * @param tag null for none
   * @param tie the permission to pass it on; null for none, but tag or tie must be present
   */
  static <T> Message<T> asked(Message<T> message, byte[] tag, byte[] tie, boolean acting) {
    if (tie == null) {
      return tagged(message, tag, acting);
    }
    String key = acting ? TIE_KEY : SHADOW_TIE_KEY;
    if (tag == null) {
      return with(message, key, tie);
    }
    Map<String, byte[]> old = message.header.customParams();
    Map<String, byte[]> map = old == null ? new HashMap<>() : new HashMap<>(old);
    map.put(acting ? KEY : SHADOW_KEY, tag);
    map.put(key, tie);
    return message.withParam(ParamType.CUSTOM_MAP, map);
  }

  /** The mark of a passed-on read, or null. */
  public static byte[] copied(Message.Header header) {
    Map<String, byte[]> map = header.customParams();
    return map == null ? null : map.get(COPY_KEY);
  }

  /**
   * A copy of a read that is passed on, with a tag of an acting node.
   *
   * @param tag null for none
   */
  public static <T> Message<T> passedOn(Message<T> message, byte[] copied, byte[] tag) {
    Map<String, byte[]> old = message.header.customParams();
    Map<String, byte[]> map = old == null ? new HashMap<>() : new HashMap<>(old);
    map.remove(KEY);
    map.remove(TIE_KEY);
    map.put(COPY_KEY, copied);
    if (tag != null) {
      map.put(KEY, tag);
    }
    return message.withParam(ParamType.CUSTOM_MAP, map);
  }

  /** A copy of the message with Manx's entry; id, flags, expiry and other entries are kept. */
  private static <T> Message<T> with(Message<T> message, String key, byte[] value) {
    Map<String, byte[]> old = message.header.customParams();
    Map<String, byte[]> map;
    if (old == null || old.isEmpty()) {
      map = Collections.singletonMap(key, value);
    } else {
      map = new HashMap<>(old);
      map.put(key, value);
    }
    return message.withParam(ParamType.CUSTOM_MAP, map);
  }
}
