package org.notificationcenter;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds the answer to one call of the service. Jackson writes it as the service reads it: {@code {
 * ok: true, data, name, durationMs }} or {@code { ok: false, error: { code, message, reason?,
 * details? } }}.
 */
public final class DispatchResponse {
  private final JsonNode data;
  private final String name;
  private final long durationMs;
  private final DispatchFailure error;

  private DispatchResponse(JsonNode data, String name, long durationMs, DispatchFailure error) {
    this.data = data;
    this.name = name;
    this.durationMs = durationMs;
    this.error = error;
  }

  static DispatchResponse success(JsonNode data, String name, long durationMs) {
    return new DispatchResponse(data, name, durationMs, null);
  }

  static DispatchResponse failure(EnricherException error) {
    return new DispatchResponse(null, null, 0, DispatchFailure.of(error));
  }

  /**
   * Returns whether the handler has answered.
   *
   * @return false when {@link #error} is set
   */
  public boolean ok() {
    return error == null;
  }

  /**
   * Returns the handler's result as JSON.
   *
   * @return the result; null for a failure
   */
  public JsonNode data() {
    return data;
  }

  /**
   * Returns the name of the enricher.
   *
   * @return the name; null for a failure
   */
  public String name() {
    return name;
  }

  /**
   * Returns how long the call took.
   *
   * @return milliseconds; 0 for a failure
   */
  public long durationMs() {
    return durationMs;
  }

  /**
   * Returns the failure.
   *
   * @return the failure; null for a success
   */
  public DispatchFailure error() {
    return error;
  }

  /**
   * Returns the HTTP status to answer with.
   *
   * @return 200, or the status of the failure's code
   */
  public int status() {
    return error == null ? 200 : error.code().status();
  }

  /**
   * Returns the answer as maps, lists, texts, numbers and booleans, for any JSON library.
   *
   * @return a new map
   */
  @JsonValue
  public Map<String, Object> toMap() {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("ok", ok());
    if (error != null) {
      answer.put("error", toMap(error));
      return answer;
    }
    answer.put("data", Json.MAPPER.convertValue(data, Object.class));
    answer.put("name", name);
    answer.put("durationMs", durationMs);
    return answer;
  }

  private static Map<String, Object> toMap(DispatchFailure error) {
    Map<String, Object> described = new LinkedHashMap<>();
    described.put("code", error.code().value());
    described.put("message", error.message());
    if (error.reason() != null) described.put("reason", error.reason().value());
    if (error.details() == null) return described;
    List<Map<String, Object>> details = new ArrayList<>();
    for (ParamsIssue issue : error.details()) {
      Map<String, Object> detail = new LinkedHashMap<>();
      detail.put("keyword", issue.keyword());
      if (issue.keywordLocation() != null) detail.put("keywordLocation", issue.keywordLocation());
      detail.put("instanceLocation", issue.instanceLocation());
      detail.put("error", issue.error());
      details.add(detail);
    }
    described.put("details", details);
    return described;
  }

  /**
   * Returns the answer as JSON text.
   *
   * @return the body for the HTTP answer, of type {@code application/json}
   */
  public String toJson() {
    try {
      return Json.MAPPER.writeValueAsString(toMap());
    } catch (JsonProcessingException error) {
      throw new IllegalStateException("Maps of JSON values are always written.", error);
    }
  }

  /** Returns the answer as JSON text. */
  @Override
  public String toString() {
    return toJson();
  }
}
