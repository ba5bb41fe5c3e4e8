package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
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
        () -> calls.client.enricher("e", (ParamsSchema<JsonNode>) null, (o, c) -> 1));
    calls
        .client
        .enricher("e", DispatchTest.Order.class, (order, context) -> 1)
        .enricher("E", DispatchTest.Order.class, (order, context) -> 1);
    assertThrows(
        EnricherRegistrationException.class,
        () -> calls.client.enricher("e", DispatchTest.Order.class, (o, c) -> 2));
    new Calls().client.enricher("e", DispatchTest.Order.class, (order, context) -> 3);
  }
}
