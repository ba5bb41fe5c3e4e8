package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests that an answer counts that came while the process of the caller stood still. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the states of processes are read from /proc")
class StalledProcessTest {
  private static final long LIMIT_MS = 5000;

  /** Runs in the process that is stopped. */
  public static final class Caller {
    /** Tracks one event without retries, and prints its id. */
    public static void main(String[] args) throws Exception {
      NotificationClient client =
          NotificationClient.builder()
              .authSecretKey("a")
              .sdkSecretKey("b")
              .baseUrl(args[0])
              .timeoutMs(LIMIT_MS)
              .retryDelaysMs()
              .build();
      System.out.println(client.track(TrackEvent.named("a").userId("u")).eventId());
    }
  }

  @Test
  void anAnswerThatCameMeanwhileIsTaken() throws Exception {
    CompletableFuture<Process> caller = new CompletableFuture<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = "{\"eventId\":\"evt_1\"}".getBytes(StandardCharsets.UTF_8);
          exchange.getRequestBody().readAllBytes();
          signal(caller.join(), "STOP");
          exchange.sendResponseHeaders(202, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      String url = "http://127.0.0.1:" + server.getAddress().getPort();
      Process process =
          new ProcessBuilder(
                  java,
                  "-classpath",
                  System.getProperty("java.class.path"),
                  Caller.class.getName(),
                  url)
              .redirectErrorStream(true)
              .start();
      caller.complete(process);
      waitUntilStopped(process);
      TimeUnit.MILLISECONDS.sleep(LIMIT_MS + 500);
      signal(process, "CONT");
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals("evt_1", output.strip());
    } finally {
      server.stop(0);
      caller.join().destroyForcibly();
    }
  }

  /** Uses the shell's own command, which every Linux has. */
  private static void signal(Process process, String name) {
    try {
      new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor();
    } catch (Exception error) {
      throw new IllegalStateException(error);
    }
  }

  /**
   * Reads the state of the process, which follows its name in parentheses; {@code T} is stopped.
   */
  private static void waitUntilStopped(Process process) throws Exception {
    Path file = Path.of("/proc", String.valueOf(process.pid()), "stat");
    while (process.isAlive() && !Files.readString(file).contains(") T ")) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }
}
