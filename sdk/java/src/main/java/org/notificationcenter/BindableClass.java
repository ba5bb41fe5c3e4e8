package org.notificationcenter;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.AbstractDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.DefaultDeserializationContext;
import com.fasterxml.jackson.databind.deser.SettableBeanProperty;
import com.fasterxml.jackson.databind.deser.std.ContainerDeserializerBase;
import com.fasterxml.jackson.databind.deser.std.ReferenceTypeDeserializer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Set;

/** Finds classes that Jackson has no way to create, without creating one. */
final class BindableClass {
  private final Set<JsonDeserializer<?>> seen = Collections.newSetFromMap(new IdentityHashMap<>());
  private final DefaultDeserializationContext context;
  private final Class<?> type;

  private BindableClass(DefaultDeserializationContext context, Class<?> type) {
    this.context = context;
    this.type = type;
  }

  /** Throws an {@link EnricherRegistrationException} for a class that cannot be bound. */
  static void check(ObjectMapper mapper, Class<?> type) {
    DefaultDeserializationContext context =
        ((DefaultDeserializationContext) mapper.getDeserializationContext())
            .createDummyInstance(mapper.getDeserializationConfig());
    BindableClass check = new BindableClass(context, type);
    try {
      check.visit(context.findRootValueDeserializer(mapper.constructType(type)));
    } catch (JsonMappingException | IllegalArgumentException error) {
      throw new EnricherRegistrationException(
          "Params cannot be bound to the class " + type.getName() + ": " + error.getMessage());
    }
  }

  private void visit(JsonDeserializer<?> found) throws JsonMappingException {
    if (found == null || !seen.add(found)) return;
    visit(found.getDelegatee());
    if (found instanceof ContainerDeserializerBase<?> list) visit(list.getContentDeserializer());
    // The deserializer of an Optional does not show that of its content.
    if (found instanceof ReferenceTypeDeserializer<?> holder && holder.getValueType() != null)
      visit(context.findRootValueDeserializer(holder.getValueType().getContentType()));
    if (found instanceof AbstractDeserializer && !hasTypeInfo(found)) throw fault(found);
    if (!(found instanceof BeanDeserializerBase bean)) return;
    if (!bean.getValueInstantiator().canInstantiate() && !hasTypeInfo(found)) throw fault(found);
    for (Iterator<SettableBeanProperty> fields = bean.properties(); fields.hasNext(); ) {
      SettableBeanProperty field = fields.next();
      if (field.getAnnotation(JsonTypeInfo.class) == null) visit(field.getValueDeserializer());
    }
  }

  /** With type information the class comes with the value. */
  private boolean hasTypeInfo(JsonDeserializer<?> found) throws JsonMappingException {
    return context
            .getFactory()
            .findTypeDeserializer(
                context.getConfig(), context.constructType(found.handledType()))
        != null;
  }

  private EnricherRegistrationException fault(JsonDeserializer<?> found) {
    return new EnricherRegistrationException(
        "Params cannot be bound to the class "
            + type.getName()
            + ": Jackson has no way to create "
            + found.handledType().getName()
            + ".");
  }
}
