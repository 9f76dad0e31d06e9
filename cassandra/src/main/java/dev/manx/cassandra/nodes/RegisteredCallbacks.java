/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.nodes;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.net.RequestCallbacks;

/**
 * The callbacks that wait for answers to this node's messages. Cassandra's public methods return a
 * callback only when they remove it, so a method handle reads it; its shape is verified when a hook
 * that needs it is installed.
 */
public final class RegisteredCallbacks {
  private final MethodHandle get;

  /**
   * Looks up the method.
   *
   * @throws ReflectiveOperationException if this Cassandra has another shape
   */
  public RegisteredCallbacks() throws ReflectiveOperationException {
    get =
        MethodHandles.privateLookupIn(RequestCallbacks.class, MethodHandles.lookup())
            .findVirtual(
                RequestCallbacks.class,
                "get",
                MethodType.methodType(
                    RequestCallbacks.CallbackInfo.class, long.class, InetAddressAndPort.class));
  }

  /** The callback of a message to a node; null if it has its answer or has expired. */
  public RequestCallback<?> find(long messageId, InetAddressAndPort to) {
    try {
      RequestCallbacks.CallbackInfo info =
          (RequestCallbacks.CallbackInfo)
              get.invokeExact(MessagingService.instance().callbacks, messageId, to);
      return info == null ? null : info.callback;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
