package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Stream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests retries and batches with the vectors that all SDKs share. */
@Execution(ExecutionMode.CONCURRENT)
class ScriptsTest {
  private static final JsonNode RETRIES = Contract.vectors("retry-scripts");
  private static final JsonNode BATCHES = Contract.vectors("batches");

  static Stream<Contract.Case> retries() {
    return Contract.cases(RETRIES.get("cases"));
  }

  static Stream<Contract.Case> batches() {
    return Contract.cases(BATCHES.get("cases"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("retries")
  void retry(Contract.Case one) {
    play(one.data(), RETRIES.get("secrets"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("batches")
  void batch(Contract.Case one) {
    play(one.data(), BATCHES.get("secrets"));
  }

  private static void play(JsonNode one, JsonNode secrets) {
    JsonNode script = Live.script(one.get("answers"));
    ObjectNode options = secrets.deepCopy();
    if (one.has("client")) options.setAll((ObjectNode) one.get("client"));
    boolean isClosed = one.path("address").asText().equals("closed");
    options.set("baseUrl", isClosed ? Live.target().get("closedUrl") : script.get("url"));
    NotificationClient client = CaseRunner.clientOf(options).build();
    Object end = CaseRunner.run(client, one, 1);
    CaseRunner.checkNoSecret(end, secrets);
    CaseRunner.checkNoSecret(client, secrets);
    String key = secrets.get("sdkSecretKey").textValue();
    CaseRunner.checkRequests(
        Live.requests(script), one.get("call").textValue(), key, one.get("expect"));
  }
}
