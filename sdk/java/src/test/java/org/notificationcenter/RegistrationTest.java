package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which registrations of enrichers are refused. */
class RegistrationTest {
  private final Calls calls = new Calls();

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " "})
  void anEmptyNameIsRefused(String name) {
    assertThrows(
        EnricherRegistrationException.class,
        () -> calls.client.enricher(name, DispatchTest.Order.class, (order, context) -> 1));
  }

  @Test
  void aNameIsTakenOnceAndARefusedOneStaysFree() {
    assertThrows(
        EnricherRegistrationException.class, () -> calls.client.enricher("e", DispatchTest.Order.class, null));
    assertThrows(
        EnricherRegistrationException.class,
        () -> calls.client.enricher("e", (Class<DispatchTest.Order>) null, (o, c) -> 1));
    assertThrows(
        EnricherRegistrationException.class,
        () -> calls.client.enricher("e", (JsonSchema) null, (o, c) -> 1));
    calls
        .client
        .enricher("e", DispatchTest.Order.class, (order, context) -> 1)
        .enricher("E", DispatchTest.Order.class, (order, context) -> 1);
    assertThrows(
        EnricherRegistrationException.class,
        () -> calls.client.enricher("e", DispatchTest.Order.class, (o, c) -> 2));
    new Calls().client.enricher("e", DispatchTest.Order.class, (order, context) -> 3);
  }

  @Test
  void aLaterChangeOfTheSchemaHasNoEffect() {
    ObjectNode schema = Json.MAPPER.createObjectNode();
    schema.putArray("required").add("a");
    JsonSchema compiled = JsonSchema.of(schema);
    schema.withArray("required").add("b");
    calls.client.enricher("e", compiled, (params, context) -> 1);
    assertTrue(calls.dispatch("e", Map.of("a", 1)).ok());
    for (String text :
        new String[] {
          null, "", "x", "7", "\"text\"", "[{}]", "{\"not\":7}", "{\"$dynamicRef\":\"#\"}"
        }) {
      assertThrows(EnricherRegistrationException.class, () -> JsonSchema.parse(text));
    }
    List<Object> circle = new ArrayList<>();
    circle.add(circle);
    assertThrows(EnricherRegistrationException.class, () -> JsonSchema.of(circle));
    assertNull(calls.dispatch("e", Map.of("a", 1)).error());
  }
}
