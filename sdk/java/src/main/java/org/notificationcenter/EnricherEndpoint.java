package org.notificationcenter;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Answers the enricher calls of one path on any HTTP server: bounds the body, dispatches, and
 * chooses status and headers. The adapters for servlets and for the JDK's server use it.
 */
public final class EnricherEndpoint {
  /**
   * Holds the answer to send.
   *
   * @param status the HTTP status
   * @param headers the headers, {@code content-type} among them
   * @param body the body, JSON in UTF-8
   */
  public record Answer(int status, Map<String, String> headers, byte[] body) {}

  /**
   * Far more than the largest envelope, which contains event and params twice, as JSON within JSON.
   */
  private static final int MAX_BODY_BYTES = 4 * 1024 * 1024;

  private final NotificationClient client;

  /**
   * Creates the endpoint.
   *
   * @param client the client with its enrichers
   */
  public EnricherEndpoint(NotificationClient client) {
    this.client = Objects.requireNonNull(client, "client");
  }

  /**
   * Answers one request. Never throws.
   *
   * @param method the HTTP method; only POST is answered
   * @param rawQuery the query of the address as it was sent, or null
   * @param headers reads a header by its name in lower case, as for {@link
   *     DispatchOptions#headers(Function)}
   * @param body the stream of the body, of which at most 4 MiB are read
   * @return the answer
   */
  public Answer answer(
      String method, String rawQuery, Function<String, ?> headers, InputStream body) {
    if (!"POST".equals(method)) return refuse(405, "Enrichers are called with POST.");
    byte[] bytes = read(body);
    if (bytes == null) return refuse(413, "The body is too long.");
    DispatchResponse response =
        client.dispatch(bytes, DispatchOptions.none().headers(headers).name(findName(rawQuery)));
    return createAnswer(response.status(), response.toJson());
  }

  /**
   * Treats a body that breaks off as empty: neither has a valid signature. Returns null for a body
   * that is too long.
   */
  private static byte[] read(InputStream body) {
    try {
      byte[] bytes = body.readNBytes(MAX_BODY_BYTES + 1);
      return bytes.length > MAX_BODY_BYTES ? null : bytes;
    } catch (IOException error) {
      return new byte[0];
    }
  }

  private static String findName(String rawQuery) {
    for (String pair : rawQuery == null ? new String[0] : rawQuery.split("&")) {
      if (pair.startsWith("name=")) return decode(pair.substring("name=".length()));
    }
    return null;
  }

  /** Leaves a malformed text as it is: it is no name, and the dispatch refuses it. */
  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException error) {
      return text;
    }
  }

  private static Answer refuse(int status, String message) {
    Answer answer =
        createAnswer(
            status,
            "{\"ok\":false,\"error\":{\"code\":\"internal\",\"message\":\"" + message + "\"}}");
    if (status == 405) answer.headers().put("allow", "POST");
    return answer;
  }

  private static Answer createAnswer(int status, String json) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("content-type", "application/json");
    headers.put("cache-control", "no-store");
    return new Answer(status, headers, json.getBytes(StandardCharsets.UTF_8));
  }
}
