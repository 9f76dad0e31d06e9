/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.Map;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.service.reads.ReadCallback;

/**
 * Reads the fields of the READ stage's runnables. No public method exposes them, so method handles
 * read five fields, whose shape is verified when the hook is installed. Any thread.
 */
class ReadRunnables {
  private final Class<?> small;
  private final Class<?> large;
  private final Class<?> local;
  private final MethodHandle smallMessage;
  private final MethodHandle largeMessage;
  private final MethodHandle largeHeader;
  private final MethodHandle localCommand;
  private final MethodHandle localHandler;
  private final MethodHandle failures;

  /**
   * Looks up the fields.
   *
   * @throws ReflectiveOperationException if this Cassandra has another shape; the message names the
   *     field
   */
  ReadRunnables() throws ReflectiveOperationException {
    small = Class.forName("org.apache.cassandra.net.InboundMessageHandler$ProcessSmallMessage");
    large = Class.forName("org.apache.cassandra.net.InboundMessageHandler$ProcessLargeMessage");
    local = Class.forName("org.apache.cassandra.service.StorageProxy$LocalReadRunnable");
    Class<?> largeBody =
        Class.forName("org.apache.cassandra.net.AbstractMessageHandler$LargeMessage");
    smallMessage = getter(small, "message", Message.class, Message.class);
    largeMessage = getter(large, "message", largeBody, Object.class);
    largeHeader = getter(largeBody, "header", Object.class, Object.class);
    localCommand = getter(local, "command", ReadCommand.class, ReadCommand.class);
    localHandler = getter(local, "handler", ReadCallback.class, ReadCallback.class);
    failures = getter(ReadCallback.class, "failureReasonByEndpoint", Map.class, Map.class);
  }

  private static MethodHandle getter(Class<?> owner, String field, Class<?> held, Class<?> as)
      throws ReflectiveOperationException {
    MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(owner, MethodHandles.lookup());
    Field declared = declared(owner, field);
    if (!held.isAssignableFrom(declared.getType())) {
      throw new NoSuchFieldException(
          owner.getName() + "." + field + " is a " + declared.getType().getName());
    }
    return lookup.unreflectGetter(declared).asType(MethodType.methodType(as, Object.class));
  }

  /** Reflection's own message contains only the field's name. */
  private static Field declared(Class<?> owner, String field) throws NoSuchFieldException {
    try {
      return owner.getDeclaredField(field);
    } catch (NoSuchFieldException e) {
      NoSuchFieldException where = new NoSuchFieldException(owner.getName() + "." + field);
      where.initCause(e);
      throw where;
    }
  }

  /** The header of the message to process; null if the runnable has none. */
  Message.Header header(Runnable runnable) throws Throwable {
    Class<?> type = runnable.getClass();
    if (type == small) {
      return ((Message<?>) smallMessage.invokeExact((Object) runnable)).header;
    }
    if (type == large) {
      Object body = (Object) largeMessage.invokeExact((Object) runnable);
      Object header = (Object) largeHeader.invokeExact(body);
      return header instanceof Message.Header ? (Message.Header) header : null;
    }
    return null;
  }

  /** The message to process; null if the runnable has none, or it is not yet deserialized. */
  Message<?> message(Runnable runnable) throws Throwable {
    return runnable.getClass() == small
        ? (Message<?>) smallMessage.invokeExact((Object) runnable)
        : null;
  }

  /** The read to run; null if there is none, or it is not yet deserialized. */
  ReadCommand command(Runnable runnable) throws Throwable {
    Class<?> type = runnable.getClass();
    if (type == local) {
      return (ReadCommand) localCommand.invokeExact((Object) runnable);
    }
    if (type == small) {
      Object payload = ((Message<?>) smallMessage.invokeExact((Object) runnable)).payload;
      return payload instanceof ReadCommand ? (ReadCommand) payload : null;
    }
    return null;
  }

  /** Whether the runnable is a read of this coordinator at this node. */
  boolean isLocal(Runnable runnable) {
    return runnable.getClass() == local;
  }

  /** The callback that waits for a local read; null if the runnable is not one. */
  ReadCallback<?, ?> localHandler(Runnable runnable) throws Throwable {
    return runnable.getClass() == local
        ? (ReadCallback<?, ?>) localHandler.invokeExact((Object) runnable)
        : null;
  }

  /** The reasons why replicas failed a read, by endpoint; grows while it runs. */
  Map<?, ?> failures(ReadCallback<?, ?> handler) throws Throwable {
    return (Map<?, ?>) (Map) failures.invokeExact((Object) handler);
  }
}
