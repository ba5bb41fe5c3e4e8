package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Gives the tests the real server and the server of scripts, started once for all test classes. */
final class Live {
  /** An answer of the server. */
  record Answer(int status, JsonNode body) {}

  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static JsonNode target;

  private Live() {}

  /**
   * Returns the target (`sdk/live/live.ts`). The started program ends when this process closes
   * its input.
   */
  static synchronized JsonNode target() {
    if (target == null) {
      String given = System.getenv("NC_LIVE_TARGET");
      try {
        target = Json.MAPPER.readTree(given == null ? start() : Files.readString(Path.of(given)));
      } catch (IOException error) {
        throw new UncheckedIOException(error);
      }
    }
    return target;
  }

  private static String start() throws IOException {
    Process process =
        new ProcessBuilder("node", "--import", "tsx", "sdk/live/main.ts")
            .directory(Contract.ROOT.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = lines.readLine();
    if (line == null) throw new IOException("The live server did not start.");
    return line;
  }

  static String url() {
    return target().get("url").textValue();
  }

  static String secret(String name) {
    return target().at("/secrets/" + name).textValue();
  }

  /** Calls the real server with a Bearer credential, or without one for null. */
  static Answer call(String method, String path, String credential, Object body) {
    return ask(method, url() + path, credential, body);
  }

  /** Gives answers to the server of scripts. Returns its `id` and its `url`. */
  static JsonNode script(JsonNode answers) {
    JsonNode body = Json.MAPPER.createObjectNode().set("answers", answers);
    return ask("POST", target().get("scriptsUrl").textValue() + "/scripts", null, body).body();
  }

  static JsonNode requests(JsonNode script) {
    String url =
        target().get("scriptsUrl").textValue() + "/scripts/" + script.get("id").textValue();
    return ask("GET", url, null, null).body().get("requests");
  }

  private static Answer ask(String method, String url, String credential, Object body) {
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(url))
              .header("content-type", "application/json")
              .method(
                  method,
                  body == null
                      ? HttpRequest.BodyPublishers.noBody()
                      : HttpRequest.BodyPublishers.ofByteArray(
                          Json.MAPPER.writeValueAsBytes(body)));
      if (credential != null) request.header("authorization", "Bearer " + credential);
      HttpResponse<String> response =
          HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
      return new Answer(response.statusCode(), Json.tryParse(response.body()));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      throw new IllegalStateException(error);
    }
  }
}
