/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.ManxQueryHandler;
import dev.manx.cassandra.boot.Hook.State;
import dev.manx.cassandra.coordinate.InFlight;
import dev.manx.cassandra.coordinate.PlanningHandler;
import dev.manx.cassandra.copy.Copier;
import dev.manx.cassandra.copy.NodeCallbacks;
import dev.manx.cassandra.hold.Holds;
import dev.manx.cassandra.hold.NodeDepartures;
import dev.manx.cassandra.latency.TableTimers;
import dev.manx.cassandra.read.ReadStage;
import dev.manx.cassandra.tied.Ties;
import dev.manx.cassandra.wire.InboundFilter;
import dev.manx.cassandra.wire.OutboundFilter;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts Manx's hooks into Cassandra's path and removes them, each separately: a hook that fails
 * stays stock and logs the reason, the others work. Calls are serialized by {@link Switches}.
 */
final class Hooks {
  private static final Logger logger = LoggerFactory.getLogger(Hooks.class);

  private final Supplier<Engine> engines;
  private final PeerEvents peers;
  private final PlanningHandler handler;
  private final OutboundFilter outbound;
  private final InboundFilter inbound;
  private final TieHook tied;
  private final HookStates states = new HookStates();
  private final SnitchHook snitch;
  private final TableTimers timers;
  private final Copier copier;
  private final Ties ties;
  private final Holds holds;
  private final DrainAction shutdown;
  private volatile ReadStage readStage;
  private volatile boolean knowsGossip;

  Hooks(
      Supplier<Engine> engines,
      PeerEvents peers,
      InFlight inFlight,
      TableTimers timers,
      Copier copier,
      Ties ties,
      Holds holds) {
    this.engines = engines;
    this.peers = peers;
    this.timers = timers;
    this.copier = copier;
    this.ties = ties;
    this.holds = holds;
    this.shutdown = new DrainAction(() -> holds.use(null));
    this.handler =
        new PlanningHandler(engines, ManxQueryHandler::next, inFlight, timers::inFrontOf);
    this.outbound = new OutboundFilter(engines);
    this.inbound = new InboundFilter(engines);
    this.tied = new TieHook(engines, ties);
    this.snitch = new SnitchHook(engines, states);
  }

  /** The latest states of the hooks. */
  HookStates states() {
    return states;
  }

  /** Installs all hooks; the engine is already visible to them. */
  void install(Engine engine) {
    messages();
    snitch.use(engine);
    installOthers(engine);
  }

  private void messages() {
    states.attempt(
        Hook.INBOUND,
        "org.apache.cassandra.net.InboundSink.add",
        () -> {
          // The sink added last is called first: this sink must also see the answers of copies.
          tied.enter();
          MessagingService.instance().inboundSink.add(inbound);
          return InboundFilter.verbs();
        });
    if (states.isInstalled(Hook.INBOUND)) {
      states.attempt(
          Hook.OUTBOUND,
          "org.apache.cassandra.net.OutboundSink.add",
          () -> {
            MessagingService.instance().outboundSink.add(outbound);
            return "READ_REQ, READ_RSP";
          });
    } else {
      // Without inbound, answers would not be seen and tickets would stay open until their
      // time-outs.
      states.note(Hook.OUTBOUND, State.STOCK, "needs the hook inbound, which is not installed");
    }
  }

  private void installOthers(Engine engine) {
    knowsGossip = false;
    states.attempt(
        Hook.GOSSIP,
        "org.apache.cassandra.gms.Gossiper.register",
        () -> {
          HookShape.complete(PeerEvents.class);
          Gossiper.instance.register(peers);
          peers.sweep();
          knowsGossip = true;
          return "peers that die or leave";
        });
    states.attempt(
        Hook.TABLE_TIMERS,
        "org.apache.cassandra.metrics.SnapshottingTimer.getPercentileSnapshot",
        () -> {
          timers.install();
          return "coordinatorReadLatency of tables with multigets read in parallel";
        });
    readStage(engine);
    copies(engine);
    holds();
    states.attempt(
        Hook.QUERY_HANDLER,
        "dev.manx.cassandra.ManxQueryHandler.route",
        () -> {
          String covers = "SELECTs by partition key" + wrapping();
          ManxQueryHandler.route(handler);
          return covers;
        });
  }

  private String wrapping() {
    try {
      HookShape.passesOn(
          PlanningHandler.inThePath(), CQLStatement.SingleKeyspaceCqlStatement.class);
      handler.wraps(true);
      return "";
    } catch (NoSuchMethodException e) {
      handler.wraps(false);
      logger.warn("Manx: permissions are checked twice: {}", e.getMessage());
      return "; permissions are checked twice: " + e.getMessage();
    }
  }

  private void copies(Engine engine) {
    if (!states.isInstalled(Hook.OUTBOUND)) {
      // Without the hook's messages, reads are not tracked.
      states.note(Hook.COPIES, State.STOCK, "needs the hook outbound, which is not installed");
      return;
    }
    states.attempt(
        Hook.COPIES,
        "org.apache.cassandra.net.RequestCallbacks.remove",
        () -> {
          NodeCallbacks callbacks = new NodeCallbacks();
          copier.use(callbacks);
          ties.use(engine, callbacks);
          return "callbacks of reads";
        });
  }

  private void holds() {
    if (!states.isInstalled(Hook.OUTBOUND)) {
      states.note(Hook.HOLDS, State.STOCK, "needs the hook outbound, which is not installed");
      return;
    }
    states.attempt(
        Hook.HOLDS,
        "org.apache.cassandra.service.StorageService.addPreShutdownHook",
        () -> {
          shutdown.begin();
          holds.use(new NodeDepartures());
          return "reads to other nodes, and own ones";
        });
  }

  private void readStage(Engine engine) {
    states.attempt(
        Hook.READ_STAGE,
        "org.apache.cassandra.concurrent.Stage.unsafeSetExecutor",
        () -> {
          for (Class<?> ours : ReadStage.inThePath()) {
            HookShape.complete(ours);
          }
          HookShape.passesOn(ReadStage.class, LocalAwareExecutorPlus.class);
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

  /** Makes installed hooks use another engine. */
  void use(Engine engine) {
    snitch.use(engine);
    readStage(engine);
    if (copier.isReady()) {
      // The last strategy's planner may have kept the timer's thread.
      copies(engine);
    }
    holds.ensure();
    if (readStage != null && !states.isInstalled(Hook.READ_STAGE)) {
      // The last strategy's order would decide for this one.
      leaveReadStage();
    }
  }

  /** Removes all hooks. Reads still queued are run by their tickets. */
  void remove() {
    states.attemptRemoval(Hook.QUERY_HANDLER, () -> ManxQueryHandler.route(null));
    states.attemptRemoval(Hook.COPIES, this::leaveCopies);
    states.attemptRemoval(Hook.HOLDS, () -> holds.use(null));
    states.attemptRemoval(Hook.READ_STAGE, this::leaveReadStage);
    states.attemptRemoval(Hook.TABLE_TIMERS, timers::remove);
    snitch.remove();
    states.attemptRemoval(
        Hook.OUTBOUND, () -> MessagingService.instance().outboundSink.remove(outbound));
    states.attemptRemoval(
        Hook.INBOUND, () -> MessagingService.instance().inboundSink.remove(inbound));
    states.attemptRemoval(Hook.GOSSIP, () -> Gossiper.instance.unregister(peers));
  }

  private void leaveCopies() {
    copier.use(null);
    tied.leave();
  }

  private void leaveReadStage() {
    if (readStage != null) {
      Stage.READ.unsafeSetExecutor(stockStage());
      readStage.drain();
    }
  }

  /** Whether a snitch other than Manx's was set, as JMX updateSnitch does. */
  boolean snitchDisplaced() {
    return snitch.isDisplaced();
  }

  /**
   * Forgets tables that were dropped and, if this Cassandra's gossip has the known form, nodes that
   * left. Also runs while Manx is off, because nodes are known from the time before.
   */
  void sweep() {
    Predicate<TableId> exists = id -> Schema.instance.getTableMetadata(id) != null;
    timers.sweep();
    if (readStage != null) {
      readStage.sweep(exists);
    }
    if (knowsGossip) {
      peers.sweep();
    }
  }

  /** Ends the leftovers of nodes that died, restarted or left, and of tied reads. */
  void endPeersAndTies() {
    peers.closeEnded();
    tied.tick();
  }

  /** The read stage in front of stock's, or null if never installed. */
  ReadStage readStage() {
    return readStage;
  }

  /** Checks the order of queued reads, once a second. */
  void lookAtOrder() {
    if (readStage != null) {
      readStage.lookAtOrder();
    }
  }
}
