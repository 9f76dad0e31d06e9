/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.cassandra.concurrent.ExecutorPlus;
import org.apache.cassandra.concurrent.LocalAwareExecutorPlus;
import org.apache.cassandra.utils.WithResources;
import org.apache.cassandra.utils.concurrent.Future;

/**
 * Delegates to the stock READ stage all methods except the execution of reads: submitted tasks are
 * not reads of requests (cache loading and the like), and threads and counts stay the stock
 * stage's.
 */
abstract class StockStage implements LocalAwareExecutorPlus {
  /** The stock stage. */
  final ExecutorPlus stock;

  StockStage(ExecutorPlus stock) {
    this.stock = stock;
  }

  /** The stage that this one wraps. */
  public final ExecutorPlus stock() {
    return stock;
  }

  @Override
  public final <T> Future<T> submit(Callable<T> task) {
    return stock.submit(task);
  }

  @Override
  public final <T> Future<T> submit(Runnable task, T result) {
    return stock.submit(task, result);
  }

  @Override
  public final Future<?> submit(Runnable task) {
    return stock.submit(task);
  }

  @Override
  public final <T> Future<T> submit(WithResources resources, Callable<T> task) {
    return stock.submit(resources, task);
  }

  @Override
  public final Future<?> submit(WithResources resources, Runnable task) {
    return stock.submit(resources, task);
  }

  @Override
  public final <T> Future<T> submit(WithResources resources, Runnable task, T result) {
    return stock.submit(resources, task, result);
  }

  @Override
  public final <T> List<java.util.concurrent.Future<T>> invokeAll(
      Collection<? extends Callable<T>> tasks) throws InterruptedException {
    return stock.invokeAll(tasks);
  }

  @Override
  public final <T> List<java.util.concurrent.Future<T>> invokeAll(
      Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
      throws InterruptedException {
    return stock.invokeAll(tasks, timeout, unit);
  }

  @Override
  public final <T> T invokeAny(Collection<? extends Callable<T>> tasks)
      throws InterruptedException, ExecutionException {
    return stock.invokeAny(tasks);
  }

  @Override
  public final <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return stock.invokeAny(tasks, timeout, unit);
  }

  @Override
  public final boolean inExecutor() {
    return stock.inExecutor();
  }

  @Override
  public final void shutdown() {
    stock.shutdown();
  }

  @Override
  public final List<Runnable> shutdownNow() {
    return stock.shutdownNow();
  }

  @Override
  public final boolean isShutdown() {
    return stock.isShutdown();
  }

  @Override
  public final boolean isTerminated() {
    return stock.isTerminated();
  }

  @Override
  public final boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return stock.awaitTermination(timeout, unit);
  }

  @Override
  public final int getCorePoolSize() {
    return stock.getCorePoolSize();
  }

  @Override
  public final void setCorePoolSize(int size) {
    stock.setCorePoolSize(size);
  }

  @Override
  public final int getMaximumPoolSize() {
    return stock.getMaximumPoolSize();
  }

  @Override
  public final void setMaximumPoolSize(int size) {
    stock.setMaximumPoolSize(size);
  }

  @Override
  public final int getActiveTaskCount() {
    return stock.getActiveTaskCount();
  }

  @Override
  public final long getCompletedTaskCount() {
    return stock.getCompletedTaskCount();
  }

  @Override
  public final int getPendingTaskCount() {
    return stock.getPendingTaskCount();
  }

  @Override
  public final int getMaxTasksQueued() {
    return stock.getMaxTasksQueued();
  }

  @Override
  public final long oldestTaskQueueTime() {
    return stock.oldestTaskQueueTime();
  }
}
