package org.notificationcenter.jsonschema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.notificationcenter.DispatchResponse;
import org.notificationcenter.EnricherErrorCode;
import org.notificationcenter.EnricherRegistrationException;

/** Tests JSON Schemas with the vectors that all SDKs share. */
class SchemaVectorsTest {
  private static final JsonNode SCHEMAS = read("json-schemas");

  /** One case, shown by its title. */
  record Case(JsonNode data) {
    @Override
    public String toString() {
      return data.path("title").asText();
    }
  }

  /** Surefire runs in the folder of the module. */
  private static JsonNode read(String name) {
    try {
      String path = "../../contract/vectors/" + name + ".json";
      return new ObjectMapper().readTree(Files.readString(Path.of(path)));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static Stream<Case> cases(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(Case::new);
  }

  static Stream<Case> accepted() {
    return cases(SCHEMAS.get("accepted"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("accepted")
  void acceptedSchema(Case one) {
    Signed calls = new Signed(JsonSchema.of(one.data().get("schema")));
    for (JsonNode params : one.data().get("fits")) {
      DispatchResponse response = calls.dispatch(params);
      assertTrue(response.ok(), () -> params + ": " + response);
    }
    for (JsonNode params : one.data().get("unfit")) {
      DispatchResponse response = calls.dispatch(params);
      assertFalse(response.ok(), params::toString);
      assertEquals(EnricherErrorCode.INPUT_INVALID, response.error().code(), response::toString);
      assertFalse(response.error().details().isEmpty());
    }
  }

  static Stream<Case> refused() {
    return cases(SCHEMAS.get("refused"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void refusedSchema(Case one) {
    EnricherRegistrationException error =
        assertThrows(
            EnricherRegistrationException.class, () -> JsonSchema.of(one.data().get("schema")));
    assertTrue(
        error.getMessage().contains(one.data().get("names").textValue()), error.getMessage());
  }

  static Stream<Case> calls() {
    return cases(read("enricher-calls").get("cases"))
        .filter(one -> one.data().get("expect").path("hasDetails").asBoolean());
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  void paramsOfTheSharedCallsThatDoNotFit(Case one) {
    Signed calls = new Signed(JsonSchema.of(read("enricher-calls").get("schema")));
    DispatchResponse response = calls.dispatch(one.data().at("/body/params"));
    assertEquals(one.data().at("/expect/code").textValue(), response.error().code().value());
    assertEquals(one.data().at("/expect/status").intValue(), response.status());
    assertFalse(response.error().details().isEmpty());
  }
}
