/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.ManxQueryHandler;
import dev.manx.cassandra.boot.Hook.State;
import dev.manx.cassandra.control.Guard;
import dev.manx.cassandra.coordinate.InFlight;
import dev.manx.cassandra.coordinate.ManxSnitch;
import dev.manx.cassandra.coordinate.PlanningHandler;
import dev.manx.cassandra.copy.Copier;
import dev.manx.cassandra.copy.NodeCallbacks;
import dev.manx.cassandra.latency.TableTimers;
import dev.manx.cassandra.read.ReadStage;
import dev.manx.cassandra.wire.InboundFilter;
import dev.manx.cassandra.wire.OutboundFilter;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts Manx's hooks into Cassandra's path and takes them out again, each on its own: one that fails
 * stays stock and says why, the others work. Calls are serialized by {@link Switches}.
 */
final class Hooks {
  private static final Logger logger = LoggerFactory.getLogger(Hooks.class);

  private final Supplier<Engine> engines;
  private final Peers peers;
  private final PlanningHandler handler;
  private final OutboundFilter outbound;
  private final InboundFilter inbound;
  private final Map<Hook, State> states = new EnumMap<>(Hook.class);
  private final Map<Hook, String> details = new EnumMap<>(Hook.class);
  private final TableTimers timers;
  private final Copier copier;
  private volatile ReadStage readStage;

  Hooks(
      Supplier<Engine> engines, Peers peers, InFlight inFlight, TableTimers timers, Copier copier) {
    this.engines = engines;
    this.peers = peers;
    this.timers = timers;
    this.copier = copier;
    this.handler = new PlanningHandler(engines, ManxQueryHandler::next, inFlight, timers);
    this.outbound = new OutboundFilter(engines);
    this.inbound = new InboundFilter(engines);
    for (Hook hook : Hook.values()) {
      note(hook, State.STOCK, "");
    }
  }

  /** The snitch in use, without Manx's. */
  static IEndpointSnitch stockSnitch() {
    IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
    IEndpointSnitch stock = DynamicSnitch.stockOf(snitch);
    return stock == null ? snitch : stock;
  }

  private static boolean standsInFront() {
    return DynamicSnitch.stockOf(DatabaseDescriptor.getEndpointSnitch()) != null;
  }

  /** Puts all hooks in; the engine is already visible to them. */
  void install(Engine engine) {
    messages();
    snitch(engine);
    installOthers(engine);
  }

  private void messages() {
    attempt(
        Hook.INBOUND,
        "org.apache.cassandra.net.InboundSink.add",
        () -> {
          MessagingService.instance().inboundSink.add(inbound);
          return InboundFilter.verbs();
        });
    if (isInstalled(Hook.INBOUND)) {
      attempt(
          Hook.OUTBOUND,
          "org.apache.cassandra.net.OutboundSink.add",
          () -> {
            MessagingService.instance().outboundSink.add(outbound);
            return "READ_REQ, READ_RSP";
          });
    } else {
      // Its tickets would stay open until their time-outs, because no answer is seen.
      note(Hook.OUTBOUND, State.STOCK, "needs the hook inbound, which is not installed");
    }
  }

  /** The snitch hook stands in the path only while decisions are acted upon. */
  private void snitch(Engine engine) {
    if (!engine.acting()) {
      removeSnitch();
      note(Hook.SNITCH, State.STOCK, "not needed in mode " + engine.mode().label());
      return;
    }
    if (!isInstalled(Hook.OUTBOUND)) {
      // Other nodes' reads would not be counted, so all of them would look idle.
      removeSnitch();
      note(Hook.SNITCH, State.STOCK, "needs the hook outbound, which is not installed");
      return;
    }
    if (standsInFront()) {
      return;
    }
    attempt(
        Hook.SNITCH,
        "org.apache.cassandra.config.DatabaseDescriptor.setEndpointSnitch",
        () -> {
          Shape.complete(ManxSnitch.class);
          IEndpointSnitch stock = stockSnitch();
          DatabaseDescriptor.setEndpointSnitch(DynamicSnitch.inFrontOf(stock, engines));
          return "in front of " + stock.getClass().getName();
        });
  }

  private void installOthers(Engine engine) {
    attempt(
        Hook.GOSSIP,
        "org.apache.cassandra.gms.Gossiper.register",
        () -> {
          Shape.complete(Peers.class);
          Gossiper.instance.register(peers);
          peers.sweep();
          return "peers that die or leave";
        });
    attempt(
        Hook.TABLE_TIMERS,
        "org.apache.cassandra.metrics.SnapshottingTimer.getPercentileSnapshot",
        () -> {
          timers.install();
          return "coordinatorReadLatency of tables with multigets read in parallel";
        });
    readStage(engine);
    copies();
    attempt(
        Hook.QUERY_HANDLER,
        "dev.manx.cassandra.ManxQueryHandler.route",
        () -> {
          ManxQueryHandler.route(handler);
          return "SELECTs by partition key";
        });
  }

  private void copies() {
    if (!isInstalled(Hook.OUTBOUND)) {
      // Without its messages no read is followed.
      note(Hook.COPIES, State.STOCK, "needs the hook outbound, which is not installed");
      return;
    }
    attempt(
        Hook.COPIES,
        "org.apache.cassandra.net.RequestCallbacks.remove",
        () -> {
          copier.use(new NodeCallbacks());
          return "callbacks of reads";
        });
  }

  private void readStage(Engine engine) {
    attempt(
        Hook.READ_STAGE,
        "org.apache.cassandra.concurrent.Stage.unsafeSetExecutor",
        () -> {
          for (Class<?> ours : ReadStage.inThePath()) {
            Shape.complete(ours);
          }
          ExecutorPlus stock = stockStage();
          if (readStage == null || readStage.stock() != stock) {
            readStage = new ReadStage(stock, engine, engines);
          } else {
            readStage.use(engine);
          }
          Stage.READ.unsafeSetExecutor(readStage);
          return "tickets on " + stock.getClass().getName();
        });
  }

  private ExecutorPlus stockStage() {
    ExecutorPlus stage = Stage.READ.executor();
    return stage == readStage ? readStage.stock() : stage;
  }

  /** Lets another engine act through hooks already in the path. */
  void use(Engine engine) {
    snitch(engine);
    readStage(engine);
    if (copier.isReady()) {
      // The last strategy's planner may have kept the timer's thread.
      copies();
    }
    if (readStage != null && !isInstalled(Hook.READ_STAGE)) {
      // The last strategy's order would decide for this one.
      leaveReadStage();
    }
  }

  /** Takes all hooks out. Reads still queued are run by their tickets. */
  void remove() {
    attemptRemoval(Hook.QUERY_HANDLER, () -> ManxQueryHandler.route(null));
    attemptRemoval(Hook.COPIES, () -> copier.use(null));
    attemptRemoval(Hook.READ_STAGE, this::leaveReadStage);
    attemptRemoval(Hook.TABLE_TIMERS, timers::remove);
    removeSnitch();
    attemptRemoval(Hook.OUTBOUND, () -> MessagingService.instance().outboundSink.remove(outbound));
    attemptRemoval(Hook.INBOUND, () -> MessagingService.instance().inboundSink.remove(inbound));
    attemptRemoval(Hook.GOSSIP, () -> Gossiper.instance.unregister(peers));
  }

  private void leaveReadStage() {
    if (readStage != null) {
      Stage.READ.unsafeSetExecutor(stockStage());
      readStage.drain();
    }
  }

  private void removeSnitch() {
    attemptRemoval(
        Hook.SNITCH,
        () -> {
          if (standsInFront()) {
            DatabaseDescriptor.setEndpointSnitch(stockSnitch());
          }
        });
  }

  /** Whether another snitch was set over Manx's (as JMX updateSnitch does). */
  boolean snitchDisplaced() {
    return states.get(Hook.SNITCH) == State.INSTALLED && !standsInFront();
  }

  /**
   * Forgets the tables that were dropped, and the nodes that left, if this Cassandra's gossip is as
   * we know it.
   */
  void sweep() {
    Predicate<TableId> exists = id -> Schema.instance.getTableMetadata(id) != null;
    timers.sweep(exists);
    if (readStage != null) {
      readStage.sweep(exists);
    }
    if (isInstalled(Hook.GOSSIP)) {
      peers.sweep();
    }
  }

  /** Closes the tickets of nodes that died, restarted or left. */
  void closeEndedPeers() {
    peers.closeEnded();
  }

  /** Whether a hook is in the path. */
  synchronized boolean isInstalled(Hook hook) {
    return states.get(hook) == State.INSTALLED;
  }

  /** The read stage in front of stock's, or null if it was never installed. */
  ReadStage readStage() {
    return readStage;
  }

  /** Notices an order that does not return, once a second. */
  void lookAtOrder() {
    if (readStage != null) {
      readStage.ranked().look();
    }
  }

  /** State and detail of each hook. */
  synchronized Map<Hook, Map.Entry<State, String>> report() {
    Map<Hook, Map.Entry<State, String>> report = new EnumMap<>(Hook.class);
    states.forEach((hook, state) -> report.put(hook, Map.entry(state, details.get(hook))));
    return report;
  }

  private interface Installation {
    String install() throws ReflectiveOperationException;
  }

  private void attempt(Hook hook, String needed, Installation installation) {
    try {
      Shape.verify(needed);
      note(hook, State.INSTALLED, installation.install());
    } catch (Throwable e) {
      Guard.throwIfOfVm(e);
      note(hook, State.FAILED, e.toString());
      logger.warn("Manx: hook {} stays stock: {}", hook.label(), e.toString());
    }
  }

  private void attemptRemoval(Hook hook, Runnable removal) {
    try {
      removal.run();
      note(hook, State.STOCK, "");
    } catch (Throwable e) {
      Guard.throwIfOfVm(e);
      note(hook, State.FAILED, "could not be removed: " + e);
      logger.error("Manx: hook {} could not be removed", hook.label(), e);
    }
  }

  private synchronized void note(Hook hook, State state, String detail) {
    states.put(hook, state);
    details.put(hook, detail);
  }
}
