package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.LocalDate;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.json.JsonMapper;

/** Tests a program that has Jackson 3: its mapper, its annotations, and its trees. */
class Jackson3Test {
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record Stay(LocalDate firstDay, Optional<String> note, int nights) {}

  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final Map<String, Object> PARAMS =
      Map.of("first_day", "2026-12-24", "note", "late", "nights", 2);

  private final Calls calls = new Calls(builder -> builder.jackson3(Jackson3.of(MAPPER)));

  @Test
  void itsMapperBindsAndWrites() {
    calls.client.enricher(
        "stay",
        Stay.class,
        (stay, context) -> Map.of("stay", stay, "old", context.user(), "tree", tree("{\"a\":1}")));
    DispatchResponse response = calls.dispatch("stay", PARAMS);
    assertEquals(
        Json.MAPPER.valueToTree(PARAMS), response.data().get("stay"), response::toString);
    assertEquals("u_42", response.data().at("/old/id").textValue());
    assertEquals(1, response.data().at("/tree/a").intValue());
    DispatchResponse refused = calls.dispatch("stay", Map.of("first_day", "x", "nights", 1));
    assertEquals(EnricherErrorCode.INPUT_INVALID, refused.error().code());
    assertEquals("#/first_day", refused.error().details().get(0).instanceLocation());
    assertEquals(response.toJson(), MAPPER.writeValueAsString(response));
  }

  @Test
  void aClassThatItCannotBindIsRefused() {
    for (Class<?> type : new Class<?>[] {Runnable.class, BindingTest.Drawing.class})
      assertThrows(
          EnricherRegistrationException.class,
          () -> calls.client.enricher("e", type, (value, context) -> value));
  }

  @Test
  void itsTreesAreTakenWithoutItsMapper() {
    Calls own = new Calls();
    own.client.enricher("e", com.fasterxml.jackson.databind.JsonNode.class, (params, context) -> tree("{\"a\":[1.5]}"));
    Object body = tree(Calls.sign("e", Map.of()).toString());
    DispatchResponse response = own.client.dispatch(body, DispatchOptions.none());
    assertEquals("{\"a\":[1.5]}", response.data().toString());
  }

  private static JsonNode tree(String text) {
    return MAPPER.readTree(text);
  }
}
