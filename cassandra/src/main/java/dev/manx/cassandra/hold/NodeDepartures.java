/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.nodes.RegisteredCallbacks;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.RequestCallbacks;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.service.StorageProxy;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.utils.MonotonicClock;

/**
 * Departures of this node. Public methods remove and register callbacks; method handles read four
 * fields of a coordinator's own read, whose shape is verified when the hook is installed.
 */
public final class NodeDepartures implements Departures {
  private final RegisteredCallbacks registered = new RegisteredCallbacks();
  private final MethodHandle command;
  private final MethodHandle handler;
  private final MethodHandle requestTime;
  private final MethodHandle tracksRepaired;

  /** The start of a read's request, except for its deadline: that counts from the true start. */
  private static final class Later extends Dispatcher.RequestTime {
    private final Dispatcher.RequestTime stock;

    Later(Dispatcher.RequestTime stock, long nowNanos) {
      super(stock.enqueuedAtNanos(), nowNanos);
      this.stock = stock;
    }

    @Override
    public long baseTimeNanos() {
      return stock.baseTimeNanos();
    }
  }

  /**
   * Looks up the members.
   *
   * @throws ReflectiveOperationException if this Cassandra has another shape
   */
  public NodeDepartures() throws ReflectiveOperationException {
    Class<?> local = StorageProxy.LocalReadRunnable.class;
    command = getter(local, "command", ReadCommand.class);
    handler = getter(local, "handler", ReadCallback.class);
    requestTime = getter(local.getSuperclass(), "requestTime", Dispatcher.RequestTime.class);
    tracksRepaired = getter(local, "trackRepairedStatus", boolean.class);
  }

  private static MethodHandle getter(Class<?> owner, String name, Class<?> held)
      throws ReflectiveOperationException {
    Field field = owner.getDeclaredField(name);
    if (field.getType() != held) {
      throw new NoSuchFieldException(field + " is a " + field.getType().getName());
    }
    return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
        .unreflectGetter(field)
        .asType(MethodType.methodType(held, Object.class));
  }

  @Override
  public RequestCallback<?> take(long messageId, InetAddressAndPort to) {
    RequestCallbacks.CallbackInfo info =
        MessagingService.instance().callbacks.remove(messageId, to);
    return info == null ? null : info.callback;
  }

  @Override
  public int answers(long messageId, InetAddressAndPort to) {
    RequestCallback<?> found = registered.find(messageId, to);
    return found instanceof ReadCallback ? answers((ReadCallback<?, ?>) found) : -1;
  }

  @Override
  public int answers(Runnable read) {
    return answers(callback(read));
  }

  private static int answers(ReadCallback<?, ?> callback) {
    return callback.resolver.getMessages().size();
  }

  @Override
  public boolean isAnswered(RequestCallback<?> callback) {
    if (!(callback instanceof ReadCallback)) {
      return false;
    }
    ReadCallback<?, ?> reads = (ReadCallback<?, ?>) callback;
    return reads.resolver.isDataPresent() && answers(reads) >= reads.blockFor();
  }

  @Override
  public boolean isAnswered(Runnable read) {
    return isAnswered(callback(read));
  }

  @Override
  public void send(Message<?> message, InetAddressAndPort to, RequestCallback<?> callback) {
    Message<?> later =
        Message.builder(message).withCreatedAt(MonotonicClock.Global.approxTime.now()).build();
    ThreadPlan plan = ThreadPlan.current();
    plan.resending(true);
    try {
      MessagingService.instance().sendWithCallback(later, to, callback);
    } finally {
      plan.resending(false);
    }
  }

  @Override
  public Runnable later(Runnable read) {
    try {
      return new StorageProxy.LocalReadRunnable(
          (ReadCommand) command.invokeExact((Object) read),
          callback(read),
          new Later(requestTime(read), MonotonicClock.Global.approxTime.now()),
          (boolean) tracksRepaired.invokeExact((Object) read));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public long expiresAtNanos(Runnable read) {
    return requestTime(read).computeDeadline(Verb.READ_REQ.expiresAfterNanos());
  }

  private ReadCallback<?, ?> callback(Runnable read) {
    try {
      return (ReadCallback<?, ?>) (ReadCallback) handler.invokeExact((Object) read);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private Dispatcher.RequestTime requestTime(Runnable read) {
    try {
      return (Dispatcher.RequestTime) requestTime.invokeExact((Object) read);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
