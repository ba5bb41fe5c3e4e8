package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reports an answer other than 2xx to a tracking call, of the service or of a proxy before it.
 * Holds nothing of the request.
 */
public final class NotificationRequestException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The HTTP status. */
  private final int status;

  /** The stable code, or null. */
  private final String code;

  /** The reason of some codes, or null. */
  private final String reason;

  /** The faults of a refused body. */
  private final ArrayList<JsonNode> details = new ArrayList<>();

  /** Finds the call in the service's log, or null. */
  private final String correlationId;

  /** The whole answer. */
  private final ObjectNode answer;

  private NotificationRequestException(
      int status, String message, ObjectNode answer, String correlationId) {
    super(message);
    this.status = status;
    this.code = Json.text(answer, "code");
    this.reason = Json.text(answer, "reason");
    if (answer.path("details").isArray()) answer.get("details").forEach(details::add);
    String own = Json.text(answer, "correlationId");
    this.correlationId = own == null ? correlationId : own;
    this.answer = answer;
  }

  /**
   * Parses the text of an answer, which may be anything: a proxy's page, an echo of the request.
   */
  static NotificationRequestException of(int status, String text, String correlationId) {
    JsonNode parsed = Json.tryParse(text);
    ObjectNode answer =
        parsed instanceof ObjectNode object ? object : Json.MAPPER.createObjectNode();
    String code = Json.text(answer, "code");
    String detail = Json.text(answer, "message");
    String message =
        code == null
            ? "The answer was HTTP " + status + "."
            : status + " " + code + (detail == null ? "" : ": " + detail);
    return new NotificationRequestException(status, message, answer, correlationId);
  }

  /**
   * Reports a 2xx answer that is not the service's. Its text may be a whole page, so it is left
   * out.
   */
  static NotificationRequestException ofStranger(int status) {
    ObjectNode none = Json.MAPPER.createObjectNode();
    return new NotificationRequestException(status, "The answer is not the service's.", none, null);
  }

  /**
   * Returns the HTTP status.
   *
   * @return the status; 2xx for an answer that is not the service's
   */
  public int status() {
    return status;
  }

  /**
   * Returns the stable code, such as {@code event/invalid-name}.
   *
   * @return the code; null when the answer was not the service's
   */
  public String code() {
    return code;
  }

  /**
   * Returns the reason that some codes have, such as {@code event/invalid-name}.
   *
   * @return the reason, or null
   */
  public String reason() {
    return reason;
  }

  /**
   * Returns the faults of a refused body: objects with {@code path} and {@code message}.
   *
   * @return the faults; empty for other errors
   */
  public List<JsonNode> details() {
    return List.copyOf(details);
  }

  /**
   * Returns the id that finds the call in the service's log.
   *
   * @return the id, or null
   */
  public String correlationId() {
    return correlationId;
  }

  /**
   * Returns the whole answer, with the fields above.
   *
   * @return a copy; an empty object when the answer was no JSON object
   */
  public ObjectNode answer() {
    return answer.deepCopy();
  }
}
