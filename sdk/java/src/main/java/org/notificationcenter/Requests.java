package org.notificationcenter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** Makes calls of the rest of the API. */
final class Requests {
  private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");

  /** Another beginning may lead to another host, and the key with it. */
  private static final Pattern PATH = Pattern.compile("/[!-~&&[^#\\\\]]*");

  private Requests() {}

  static Sender.Call of(String method, String path, Object body, Binder binder) {
    if (method == null || !METHODS.contains(method))
      throw new IllegalArgumentException("method must be one of GET, POST, PUT, PATCH, DELETE.");
    if (path == null || !PATH.matcher(path).matches() || !isUri(path))
      throw new IllegalArgumentException("path must begin with a slash, such as /v1/deliveries.");
    JsonNode tree = body == null ? null : toTree(body, binder);
    // The service refuses a key in the header beside another one in the body.
    boolean hasKey = method.equals("GET") || (tree != null && tree.has("idempotencyKey"));
    String key = hasKey ? null : UUID.randomUUID().toString();
    return new Sender.Call(method, path, tree == null ? null : toBytes(tree), key, answer -> true);
  }

  private static boolean isUri(String path) {
    try {
      return URI.create("http://host" + path).getRawPath() != null;
    } catch (IllegalArgumentException error) {
      return false;
    }
  }

  private static JsonNode toTree(Object body, Binder binder) {
    try {
      return binder.toTree(body);
    } catch (IllegalArgumentException | StackOverflowError error) {
      throw new IllegalArgumentException("body cannot be written as JSON.", error);
    }
  }

  static byte[] toBytes(JsonNode body) {
    try {
      return Json.MAPPER.writeValueAsBytes(body);
    } catch (JsonProcessingException error) {
      // Without a cause: the error of Jackson may quote the body, and with it the key.
      throw new IllegalArgumentException("The body cannot be written as JSON.");
    }
  }
}
