/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import java.util.Arrays;
import java.util.List;

/**
 * The facts that a strategy exchanges, and their wire form: version byte, count, then id, length
 * and numbers of each fact.
 *
 * <p>Unknown ids are skipped by their length, so nodes of different versions understand each other.
 * Immutable; any thread may call every method.
 */
public final class Facts {
  /** First byte of the wire form. */
  public static final byte VERSION = 1;

  private static final int MAX_FACTS = 64;

  private final List<Fact> wired;
  private final int maxBytes;

  /** Creates the exchange of fewer than 64 facts in the given order. */
  public Facts(List<Fact> wired) {
    if (wired.size() >= MAX_FACTS) {
      throw new IllegalArgumentException("fewer than " + MAX_FACTS + " facts");
    }
    this.wired = List.copyOf(wired);
    int bytes = 2 + 2;
    for (Fact fact : wired) {
      bytes += Varints.MAX_BYTES + 2 + fact.maxBytes();
    }
    this.maxBytes = bytes;
  }

  /** The facts in wire order. */
  public List<Fact> wired() {
    return wired;
  }

  /** Whether no facts are sent. */
  public boolean isEmpty() {
    return wired.isEmpty();
  }

  /** Measures and writes this node's own load. */
  public byte[] encode(LocalLoad load) {
    byte[] bytes = new byte[maxBytes];
    bytes[0] = VERSION;
    boolean marked = load.waitsForCores();
    int at = Varints.put(bytes, 1, wired.size() + (marked ? 1 : 0));
    for (int i = 0; i < wired.size(); i++) {
      Fact fact = wired.get(i);
      at = Varints.put(bytes, at, fact.id());
      // A fact is far shorter than 128 bytes, so its length fits into the one byte reserved for it.
      int end = fact.encode(load, bytes, at + 1);
      Varints.put(bytes, at, end - at - 1);
      at = end;
    }
    if (marked) {
      at = Varints.put(bytes, at, Fact.WAITS_FOR_CORES_ID);
      at = Varints.put(bytes, at, 0);
    }
    return Arrays.copyOf(bytes, at);
  }

  /**
   * Reads a node's facts into the state, all or nothing.
   *
   * @return false, with the state untouched, if the bytes are of a foreign version or malformed
   */
  public boolean decode(byte[] bytes, ClusterState into, int node, long nowNanos) {
    if (!walk(bytes, null, node, nowNanos)) {
      return false;
    }
    return walk(bytes, into, node, nowNanos);
  }

  /** Applies this node's own load directly, without the wire form. */
  public void applyLocal(LocalLoad load, ClusterState into, int node, long nowNanos) {
    for (int i = 0; i < wired.size(); i++) {
      List<FactColumn> columns = wired.get(i).columns();
      for (int c = 0; c < columns.size(); c++) {
        into.apply(columns.get(c), node, load.value(columns.get(c)), nowNanos);
      }
    }
  }

  /** Whether these facts carry the mark that the node's queued reads wait for a core. */
  public static boolean waitsForCores(byte[] bytes) {
    Varints.Reader reader = new Varints.Reader(bytes);
    reader.octet();
    long count = Math.min(reader.number(), MAX_FACTS);
    int at = reader.at();
    for (int i = 0; i < count && reader.ok(); i++) {
      reader.span(at, bytes.length - at);
      long id = reader.number();
      long length = reader.number();
      if (id == Fact.WAITS_FOR_CORES_ID) {
        return reader.ok();
      }
      reader.span(reader.at(), length);
      at = reader.at() + (int) length;
    }
    return false;
  }

  private boolean walk(byte[] bytes, ClusterState into, int node, long nowNanos) {
    Varints.Reader reader = new Varints.Reader(bytes);
    if (reader.octet() != VERSION) {
      return false;
    }
    long count = reader.number();
    if (count > MAX_FACTS) {
      return false;
    }
    int at = reader.at();
    for (int i = 0; i < count; i++) {
      reader.span(at, bytes.length - at);
      long id = reader.number();
      long length = reader.number();
      int start = reader.at();
      reader.span(start, length);
      Fact fact = byId(id);
      if (fact != null) {
        if (into == null) {
          fact.check(reader);
        } else {
          fact.apply(reader, into, node, nowNanos);
        }
      }
      if (!reader.ok()) {
        return false;
      }
      at = start + (int) length;
    }
    return reader.ok() && at == bytes.length;
  }

  private Fact byId(long id) {
    for (int i = 0; i < wired.size(); i++) {
      if (wired.get(i).id() == id) {
        return wired.get(i);
      }
    }
    return null;
  }
}
