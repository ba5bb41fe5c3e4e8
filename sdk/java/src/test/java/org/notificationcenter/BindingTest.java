package org.notificationcenter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what the client's own mapper writes and binds: dates, amounts, enums, nulls. */
class BindingTest {
  enum Color {
    RED,
    GREEN
  }

  record Stay(
      Instant at,
      LocalDate from,
      LocalTime time,
      LocalDateTime local,
      OffsetDateTime offset,
      Duration length,
      Optional<String> note,
      Optional<String> none,
      OptionalInt rooms) {}

  static final Stay STAY =
      new Stay(
          Instant.parse("2026-12-24T18:00:00.123456Z"),
          LocalDate.of(2026, 12, 24),
          LocalTime.of(18, 30),
          LocalDateTime.of(2026, 12, 24, 18, 30),
          OffsetDateTime.parse("2026-12-24T18:00:00+02:00"),
          Duration.ofMinutes(90),
          Optional.of("late"),
          Optional.empty(),
          OptionalInt.of(2));

  static final String WRITTEN =
      "{\"at\":\"2026-12-24T18:00:00.123456Z\",\"from\":\"2026-12-24\",\"time\":\"18:30:00\","
          + "\"local\":\"2026-12-24T18:30:00\",\"offset\":\"2026-12-24T18:00:00+02:00\","
          + "\"length\":\"PT1H30M\",\"note\":\"late\",\"none\":null,\"rooms\":2}";

  record Cents(int cents) {}

  record Boxed(Integer value) {}

  record Long64(long value) {}

  record Big(BigInteger value) {}

  record Ints(int[] value) {}

  record IntList(List<Integer> value) {}

  record IntMap(Map<String, Integer> value) {}

  record MaybeInt(OptionalInt value) {}

  record MaybeInteger(Optional<Integer> value) {}

  record Colored(Color value) {}

  record Colors(List<Color> value) {}

  record Flag(boolean value) {}

  record Money(BigDecimal value) {}

  record Day(LocalDate value) {}

  record At(
      Instant value,
      @JsonFormat(pattern = "yyyy-MM-dd HH:mm", timezone = "Europe/Berlin") Instant local) {}

  record Needed(@JsonProperty(required = true) String value, String other) {}

  static class Bean {
    @JsonProperty(required = true)
    public String value;
  }

  interface Shape {}

  record Drawing(Shape shape) {}

  record Drawings(List<Optional<Drawing>> all) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
  @JsonSubTypes(@JsonSubTypes.Type(value = Square.class, name = "square"))
  interface Named {}

  record Square(int side) implements Named {}

  record Figures(Named one, List<Named> more, Optional<Named> last) {}

  class Inner {
    public String value;
  }

  static class NoCreator {
    final String value;

    NoCreator(String value, int other) {
      this.value = value + other;
    }
  }

  record Tree(String name, List<Tree> children) {}

  static final ParamsSchema<JsonNode> ANY = (params, mapper) -> params;

  private final Calls calls = new Calls();

  @Test
  void datesAndOptionalsAreBoundAndReturned() {
    AtomicReference<Stay> seen = new AtomicReference<>();
    calls.client.enricher(
        "stay",
        Stay.class,
        (stay, context) -> {
          seen.set(stay);
          return stay;
        });
    JsonNode params = Json.tryParse(WRITTEN);
    DispatchResponse response = calls.dispatch("stay", params);
    assertEquals(STAY, seen.get());
    assertEquals(params, response.data());
    assertEquals("\"1970-01-01T00:00:00.000+00:00\"", answered(new Date(0)).toString());
    assertEquals("[\"2026-12-24\"]", answered(List.of(LocalDate.of(2026, 12, 24))).toString());
    assertEquals("null", answered(Optional.empty()).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1796058000", "1796058000000", "\"2026-11-30T17:00:00Z\"", "1796058000.0"})
  void unixTimeIsReadAsTheServiceReadsIt(String written) {
    AtomicReference<At> seen = new AtomicReference<>();
    calls.client.enricher(
        "at",
        At.class,
        (at, context) -> {
          seen.set(at);
          return null;
        });
    String params = "{\"value\":" + written + ",\"local\":\"2026-11-30 18:00\"}";
    assertTrue(calls.dispatch("at", Json.tryParse(params)).ok());
    Instant at = Instant.parse("2026-11-30T17:00:00Z");
    assertEquals(new At(at, at), seen.get());
  }

  @Test
  void aFutureIsWaitedFor() {
    assertEquals("{\"a\":1}", answered(CompletableFuture.supplyAsync(() -> Map.of("a", 1))).toString());
    IllegalStateException cause = new IllegalStateException("out of stock");
    calls.client.enricher("f", JsonNode.class, (params, context) -> CompletableFuture.failedFuture(cause));
    assertEquals(cause, calls.dispatch("f", Map.of()).error().cause().getCause());
  }

  private JsonNode answered(Object value) {
    Calls own = new Calls();
    own.client.enricher("e", JsonNode.class, (params, context) -> value);
    return own.dispatch("e", Map.of()).data();
  }

  @Test
  void datesAndOptionalsAreSent() throws Exception {
    JsonNode script = Live.script(Json.tryParse("[{\"status\":202,\"json\":{\"eventId\":\"e\"}}]"));
    NotificationClient client =
        NotificationClient.builder()
            .authSecretKey("nc_auth_eu_test")
            .sdkSecretKey("nc_sdk_eu_test")
            .baseUrl(script.get("url").textValue())
            .build();
    client.track(
        TrackEvent.named("stay").userId("u").user(UserProfile.create()).properties(STAY));
    JsonNode body = Json.tryParse(Live.requests(script).get(0).get("body").textValue());
    assertEquals(Json.tryParse(WRITTEN), body.get("properties"));
  }

  @Test
  void anAmountKeepsItsDigits() {
    BigDecimal amount = new BigDecimal("12345678901234567.89");
    assertEquals("12345678901234567.89", answered(amount).toString());
  }

  static List<Arguments> unbound() {
    return List.of(
        Arguments.of(Cents.class, "{\"cents\":99.99}"),
        Arguments.of(Cents.class, "{\"cents\":3000000000}"),
        Arguments.of(Cents.class, "{\"cents\":null}"),
        Arguments.of(Cents.class, "{}"),
        Arguments.of(Boxed.class, "{\"value\":99.99}"),
        Arguments.of(Boxed.class, "{\"value\":\"\"}"),
        Arguments.of(Long64.class, "{\"value\":0.5}"),
        Arguments.of(Long64.class, "{\"value\":1e20}"),
        Arguments.of(Big.class, "{\"value\":0.5}"),
        Arguments.of(Ints.class, "{\"value\":[1,0.5]}"),
        Arguments.of(IntList.class, "{\"value\":[1,0.5]}"),
        Arguments.of(IntMap.class, "{\"value\":{\"a\":0.5}}"),
        Arguments.of(MaybeInt.class, "{\"value\":0.5}"),
        Arguments.of(MaybeInteger.class, "{\"value\":0.5}"),
        Arguments.of(Colored.class, "{\"value\":1}"),
        Arguments.of(Colored.class, "{\"value\":\"1\"}"),
        Arguments.of(Colored.class, "{\"value\":\"\"}"),
        Arguments.of(Colored.class, "{\"value\":\"BLUE\"}"),
        Arguments.of(Colors.class, "{\"value\":[0]}"),
        Arguments.of(Flag.class, "{\"value\":1}"),
        Arguments.of(Flag.class, "{\"value\":\"true\"}"),
        Arguments.of(Money.class, "{\"value\":\"9.99\"}"),
        Arguments.of(Day.class, "{\"value\":20000}"),
        Arguments.of(Day.class, "{\"value\":\"tomorrow\"}"),
        Arguments.of(Needed.class, "{\"value\":null}"),
        Arguments.of(Needed.class, "{}"),
        Arguments.of(Bean.class, "{\"value\":null}"));
  }

  @ParameterizedTest
  @MethodSource("unbound")
  void paramsOfAnotherTypeAreInvalid(Class<?> type, String params) {
    calls.client.enricher("e", type, (value, context) -> value);
    DispatchResponse response = calls.dispatch("e", Json.tryParse(params));
    assertTrue(!response.ok(), () -> "bound as " + response);
    assertEquals(EnricherErrorCode.INPUT_INVALID, response.error().code());
  }

  @Test
  void paramsOfTheTypeAreBound() {
    Map<Class<?>, String> bound = new LinkedHashMap<>();
    bound.put(Cents.class, "{\"cents\":9999}");
    bound.put(Boxed.class, "{\"value\":null}");
    bound.put(Colored.class, "{\"value\":\"RED\"}");
    bound.put(Money.class, "{\"value\":99.99}");
    bound.put(Needed.class, "{\"value\":\"a\",\"other\":null}");
    bound.put(Bean.class, "{\"value\":\"a\"}");
    bound.put(Tree.class, "{\"name\":\"a\",\"children\":[{\"name\":\"b\",\"children\":[]}]}");
    String square = "{\"@type\":\"square\",\"side\":2}";
    bound.put(
        Figures.class,
        "{\"one\":" + square + ",\"more\":[" + square + "],\"last\":" + square + "}");
    bound.put(Map.class, "{\"a\":1}");
    bound.put(Object.class, "{\"a\":1}");
    bound.put(JsonNode.class, "{\"a\":1}");
    bound.forEach(
        (type, params) -> {
          Calls own = new Calls();
          own.client.enricher("e", type, (value, context) -> value);
          JsonNode answer = own.dispatch("e", Json.tryParse(params)).data();
          assertTrue(Json.isSame(Json.tryParse(params), answer), () -> "it was " + answer);
        });
  }

  @ParameterizedTest
  @ValueSource(
      classes = {Shape.class, Drawing.class, Drawings.class, Inner.class, NoCreator.class,
        Runnable.class, Number[].class, Thread.State[][].class, int.class})
  void aClassThatCannotBeBoundIsRefusedAtOnce(Class<?> type) {
    List<Class<?>> bindable = Arrays.asList(Number[].class, Thread.State[][].class, int.class);
    Runnable register = () -> calls.client.enricher("e", type, (value, context) -> value);
    Runnable checked =
        () -> calls.client.enricher("f", ANY.as(type), (v, context) -> v);
    for (Runnable one : Collections.unmodifiableList(Arrays.asList(register, checked))) {
      if (bindable.contains(type)) one.run();
      else assertThrows(EnricherRegistrationException.class, one::run);
    }
  }
}
