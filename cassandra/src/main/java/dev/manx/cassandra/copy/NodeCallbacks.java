/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.nodes.RegisteredCallbacks;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.gms.EndpointState;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.ReplicaPlan;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.RequestCallbacks;
import org.apache.cassandra.service.reads.DigestResolver;
import org.apache.cassandra.service.reads.ReadCallback;
import org.apache.cassandra.utils.FBUtilities;

/**
 * The callbacks of this node. A method handle reads the replicas of a read; its shape is verified
 * when the hook is installed.
 */
public final class NodeCallbacks implements Callbacks {
  private final RegisteredCallbacks registered = new RegisteredCallbacks();
  private final MethodHandle replicaPlan;

  /**
   * Looks up the members.
   *
   * @throws ReflectiveOperationException if this Cassandra has another shape
   */
  public NodeCallbacks() throws ReflectiveOperationException {
    Field field = ReadCallback.class.getDeclaredField("replicaPlan");
    if (!Supplier.class.isAssignableFrom(field.getType())) {
      throw new NoSuchFieldException(field + " is a " + field.getType().getName());
    }
    replicaPlan =
        MethodHandles.privateLookupIn(ReadCallback.class, MethodHandles.lookup())
            .unreflectGetter(field)
            .asType(MethodType.methodType(Supplier.class, ReadCallback.class));
  }

  @Override
  public EndpointsForToken candidates(long messageId, InetAddressAndPort to) {
    RequestCallback<?> callback = registered.find(messageId, to);
    return callback instanceof ReadCallback ? candidates((ReadCallback<?, ?>) callback) : null;
  }

  @Override
  public EndpointsForToken candidates(ReadCallback<?, ?> handler) {
    if (handler.blockFor() != 1 || !(handler.resolver instanceof DigestResolver)) {
      return null;
    }
    try {
      Object plan = ((Supplier<?>) replicaPlan.invokeExact((ReadCallback) handler)).get();
      return plan instanceof ReplicaPlan.ForTokenRead
          ? candidates((ReplicaPlan.ForTokenRead) plan)
          : null;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static EndpointsForToken candidates(ReplicaPlan.ForTokenRead plan) {
    return plan.contacts().size() == 1 && !plan.consistencyLevel().isSerialConsistency()
        ? plan.readCandidates()
        : null;
  }

  @Override
  public boolean awaits(long messageId, InetAddressAndPort to) {
    return registered.find(messageId, to) != null;
  }

  @Override
  @SuppressWarnings("unchecked")
  public boolean fill(long messageId, InetAddressAndPort to, Message<?> answer, Runnable filled) {
    RequestCallbacks.CallbackInfo info =
        MessagingService.instance().callbacks.remove(messageId, to);
    if (info == null) {
      return false;
    }
    try {
      filled.run();
      info.callback.onResponse((Message) answer);
    } catch (Throwable t) {
      // The slot is gone, so the first copy's own answer will not be seen.
      info.callback.onFailure(to, RequestFailureReason.UNKNOWN);
      throw t;
    }
    return true;
  }

  @Override
  @SuppressWarnings("unchecked")
  public void answer(ReadCallback<?, ?> handler, Message<?> answer) {
    try {
      handler.onResponse((Message) answer);
    } catch (Throwable t) {
      // The coordinator's own read will no longer run.
      handler.onFailure(FBUtilities.getBroadcastAddressAndPort(), RequestFailureReason.UNKNOWN);
      throw t;
    }
  }

  @Override
  public void serve(Message<?> read) {
    Stage.READ.execute(() -> MessagingService.instance().inboundSink.accept(read));
  }

  @Override
  public void serve(Runnable read) {
    Stage.READ.execute(read);
  }

  @Override
  public void took(InetAddressAndPort node, long nanos) {
    MessagingService.instance().latencySubscribers.add(node, nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean isAlive(InetAddressAndPort node) {
    // The failure detector would log an error for an unknown node, and peers name them.
    EndpointState state = Gossiper.instance.getEndpointStateForEndpoint(node);
    return node.equals(FBUtilities.getBroadcastAddressAndPort())
        || state != null && state.isAlive();
  }

  @Override
  public void send(Message<?> message, InetAddressAndPort to) {
    MessagingService.instance().send(message, to);
  }
}
