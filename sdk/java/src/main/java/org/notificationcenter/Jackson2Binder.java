package org.notificationcenter;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.databind.util.StdDateFormat;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.time.Instant;
import java.util.List;

/** Writes and binds by Jackson 2. */
final class Jackson2Binder implements Binder {
  private final ObjectMapper mapper;

  Jackson2Binder(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  /**
   * Creates the default: unknown fields are ignored, dates are ISO 8601, and no value is converted
   * to another type.
   */
  static Jackson2Binder createDefault() {
    JsonMapper.Builder mapper =
        JsonMapper.builder()
            .addModule(new JavaTimeModule())
            .addModule(new Jdk8Module())
            .addModule(new SimpleModule().addDeserializer(Instant.class, new InstantReader()))
            .annotationIntrospector(new RequiredIsNotNull())
            .defaultDateFormat(new StdDateFormat().withColonInTimeZone(true))
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS);
    refuse(mapper, LogicalType.Textual, CoercionInputShape.Integer, CoercionInputShape.Float);
    refuse(mapper, LogicalType.Textual, CoercionInputShape.Boolean);
    refuse(mapper, LogicalType.Enum, CoercionInputShape.Integer, CoercionInputShape.EmptyString);
    refuse(mapper, LogicalType.DateTime, CoercionInputShape.Integer, CoercionInputShape.Float);
    return new Jackson2Binder(mapper.build());
  }

  private static void refuse(
      JsonMapper.Builder mapper, LogicalType type, CoercionInputShape... shapes) {
    for (CoercionInputShape shape : shapes)
      mapper.withCoercionConfig(type, config -> config.setCoercion(shape, CoercionAction.Fail));
  }

  @Override
  public JsonNode toTree(Object value) {
    JsonNode tree = Json.fromTree(value);
    return tree == null ? mapper.valueToTree(value) : tree;
  }

  @Override
  public <T> T bind(JsonNode params, Class<T> type) throws InvalidParamsException {
    try {
      T value = mapper.treeToValue(params, type);
      if (value != null) return value;
      throw invalid("#", "must not be null");
    } catch (JsonMappingException error) {
      StringBuilder at = new StringBuilder("#");
      for (JsonMappingException.Reference step : error.getPath())
        PlaceStep.append(at, step.getFieldName() == null ? step.getIndex() : step.getFieldName());
      throw invalid(at.toString(), error.getOriginalMessage());
    } catch (JsonProcessingException error) {
      throw invalid("#", error.getOriginalMessage());
    }
  }

  static InvalidParamsException invalid(String at, String message) {
    return new InvalidParamsException(List.of(new ParamsIssue("type", null, at, message)));
  }

  @Override
  public void check(Class<?> type) {
    BindableClass.check(mapper, type);
  }

  @Override
  public String place(Class<?> type, List<PlaceStep> steps) {
    StringBuilder place = new StringBuilder("#");
    JavaType at = mapper.constructType(type);
    for (PlaceStep step : steps) {
      if (step.isElement() && at != null) at = at.getContentType();
      if (step.key() != null) PlaceStep.append(place, step.key());
      if (step.property() == null) continue;
      BeanPropertyDefinition property = at == null ? null : find(at, step.property());
      PlaceStep.append(place, property == null ? step.property() : property.getName());
      at = property == null ? null : property.getPrimaryType();
    }
    return place.toString();
  }

  /** Finds a property by its name in Java; null for none. */
  private BeanPropertyDefinition find(JavaType type, String name) {
    return mapper.getDeserializationConfig().introspect(type).findProperties().stream()
        .filter(property -> property.getInternalName().equals(name))
        .findFirst()
        .orElse(null);
  }

  @Override
  public ObjectMapper mapper() {
    return mapper;
  }

  /** A field that is required is not null either. */
  private static final class RequiredIsNotNull extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public JsonSetter.Value findSetterInfo(Annotated field) {
      JsonSetter.Value found = super.findSetterInfo(field);
      boolean isRequired =
          field instanceof AnnotatedMember member
              && Boolean.TRUE.equals(hasRequiredMarker(member));
      return isRequired && found.nonDefaultValueNulls() == null
          ? found.withValueNulls(Nulls.FAIL)
          : found;
    }
  }
}
