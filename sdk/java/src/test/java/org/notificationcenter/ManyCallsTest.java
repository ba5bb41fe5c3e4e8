package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Tests that one client serves many threads, and keeps nothing of its calls. Measures memory, so it
 * runs alone.
 */
@Isolated
class ManyCallsTest {
  /**
   * With {@code -Dnc.calls=100000} it measures; by default it shows the behaviour with fewer calls.
   */
  @Test
  void manyCallsOfManyThreadsLeaveNoThreadsAndNoMemory() throws Exception {
    int calls = Integer.getInteger("nc.calls", 2000);
    byte[] answer = "{\"eventId\":\"evt_1\"}".getBytes();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    ExecutorService serving = Executors.newFixedThreadPool(8);
    server.setExecutor(serving);
    Set<String> keys = Collections.synchronizedSet(new HashSet<>());
    server.createContext(
        "/",
        exchange -> {
          keys.add(
              Json.text(
                  Json.MAPPER.readTree(exchange.getRequestBody().readAllBytes()),
                  "idempotencyKey"));
          exchange.sendResponseHeaders(202, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    ExecutorService callers = Executors.newFixedThreadPool(8);
    try {
      NotificationClient client =
          NotificationClient.builder()
              .authSecretKey("a")
              .sdkSecretKey("b")
              .baseUrl("http://127.0.0.1:" + server.getAddress().getPort())
              .build();
      runAll(callers, client, 500);
      keys.clear();
      long before = usedMemory();
      int threadsBefore = countThreads();
      long begun = System.nanoTime();
      runAll(callers, client, calls);
      long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      int keyCount = keys.size();
      keys.clear();
      long grownBytes = usedMemory() - before;
      int grownThreads = countThreads() - threadsBefore;
      System.out.printf(
          "%d calls in %d ms: %d KiB and %d threads more%n",
          calls, tookMs, grownBytes / 1024, grownThreads);
      assertEquals(calls, keyCount, "each call has a key of its own");
      assertTrue(threadsBefore > 0, "the client has threads");
      // The pool of the JDK keeps up to two for each caller for a minute; a leak would be thousands.
      assertTrue(grownThreads <= 16, "threads: " + grownThreads);
      assertTrue(grownBytes < 8 * 1024 * 1024, "bytes: " + grownBytes);
    } finally {
      callers.shutdownNow();
      server.stop(0);
      serving.shutdownNow();
    }
  }

  private static void runAll(ExecutorService callers, NotificationClient client, int calls)
      throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int thread = 0; thread < 8; thread++) {
      int share = calls / 8 + (thread < calls % 8 ? 1 : 0);
      running.add(
          callers.submit(
              () -> {
                for (int i = 0; i < share; i++)
                  client.track(TrackEvent.named("order.shipped").userId("u_42"));
                return null;
              }));
    }
    for (Future<?> one : running) one.get();
  }

  /** Counts the threads of the newest client; no other one is made meanwhile. */
  private static int countThreads() {
    TreeMap<Integer, Integer> byClient = new TreeMap<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      Matcher name = Pattern.compile("HttpClient-(\\d+)-.*").matcher(thread.getName());
      if (name.matches()) byClient.merge(Integer.parseInt(name.group(1)), 1, Integer::sum);
    }
    return byClient.isEmpty() ? 0 : byClient.lastEntry().getValue();
  }

  private static long usedMemory() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(50);
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
