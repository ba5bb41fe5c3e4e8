package org.notificationcenter;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.AbstractDeserializer;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.ContainerDeserializerBase;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.module.SimpleModule;

/** Writes and binds by Jackson 3. */
final class Jackson3Binder implements Binder {
  private final ObjectMapper mapper;
  private final Jackson2Binder jackson2 = Jackson2Binder.createDefault();

  private Jackson3Binder(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  static Jackson3Binder of(ObjectMapper mapper) {
    SimpleModule trees = new SimpleModule("notification-center");
    trees.addSerializer(JsonNode.class, new OldTree());
    return new Jackson3Binder(mapper.rebuild().addModule(trees).build());
  }

  @Override
  public JsonNode toTree(Object value) {
    try {
      return Json.parseExact(mapper.writeValueAsString(value));
    } catch (JacksonException error) {
      throw new IllegalArgumentException(error.getOriginalMessage(), error);
    }
  }

  @Override
  public <T> T bind(JsonNode params, Class<T> type) throws InvalidParamsException {
    try {
      T value = mapper.readValue(params.toString(), type);
      if (value != null) return value;
      throw Jackson2Binder.invalid("#", "must not be null");
    } catch (JacksonException error) {
      StringBuilder at = new StringBuilder("#");
      for (JacksonException.Reference step : error.getPath())
        PlaceStep.append(
            at, step.getPropertyName() == null ? step.getIndex() : step.getPropertyName());
      throw Jackson2Binder.invalid(at.toString(), error.getOriginalMessage());
    }
  }

  @Override
  public void check(Class<?> type) {
    DeserializationContext context = mapper._deserializationContext();
    try {
      ValueDeserializer<?> root = context.findRootValueDeserializer(mapper.constructType(type));
      check(context, root, Collections.newSetFromMap(new IdentityHashMap<>()));
    } catch (JacksonException | IllegalArgumentException error) {
      throw new EnricherRegistrationException(
          "Params cannot be bound to the class " + type.getName() + ": " + error.getMessage());
    }
  }

  private static void check(
      DeserializationContext context, ValueDeserializer<?> found, Set<Object> seen) {
    if (found == null || !seen.add(found)) return;
    check(context, found.getDelegatee(), seen);
    if (found instanceof ContainerDeserializerBase<?> list)
      check(context, list.getContentDeserializer(), seen);
    boolean isBound =
        found instanceof BeanDeserializerBase bean
            ? bean.getValueInstantiator().canInstantiate()
            : !(found instanceof AbstractDeserializer);
    // With type information the class comes with the value.
    if (!isBound && context.findTypeDeserializer(context.constructType(found.handledType())) == null)
      throw new IllegalArgumentException(
          "Jackson has no way to create " + found.handledType().getName() + ".");
    if (!(found instanceof BeanDeserializerBase bean)) return;
    for (Iterator<SettableBeanProperty> fields = bean.properties(); fields.hasNext(); ) {
      SettableBeanProperty field = fields.next();
      if (!field.hasValueTypeDeserializer()) check(context, field.getValueDeserializer(), seen);
    }
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
    return mapper
        ._deserializationContext()
        .introspectBeanDescription(type)
        .findProperties()
        .stream()
        .filter(property -> property.getInternalName().equals(name))
        .findFirst()
        .orElse(null);
  }

  @Override
  public com.fasterxml.jackson.databind.ObjectMapper mapper() {
    return jackson2.mapper();
  }

  /** Writes a tree of Jackson 2 as it is. */
  private static final class OldTree extends ValueSerializer<JsonNode> {
    @Override
    public void serialize(JsonNode value, JsonGenerator out, SerializationContext context) {
      out.writeRawValue(value.toString());
    }
  }
}
