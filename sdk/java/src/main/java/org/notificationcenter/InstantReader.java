package org.notificationcenter;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.type.LogicalType;
import com.fasterxml.jackson.datatype.jsr310.deser.InstantDeserializer;
import java.io.IOException;
import java.time.Instant;

/** Reads an {@link Instant} as the service reads times: a number from 10^11 on is milliseconds. */
final class InstantReader extends StdScalarDeserializer<Instant> implements ContextualDeserializer {
  private static final long serialVersionUID = 1;
  private static final double FIRST_MILLISECONDS = 1e11;

  private final JsonDeserializer<Instant> plain;

  InstantReader() {
    this(InstantDeserializer.INSTANT);
  }

  private InstantReader(JsonDeserializer<Instant> plain) {
    super(Instant.class);
    this.plain = plain;
  }

  @Override
  public LogicalType logicalType() {
    return plain.logicalType();
  }

  @Override
  public Instant deserialize(JsonParser parser, DeserializationContext context) throws IOException {
    boolean isNumber = parser.currentToken().isNumeric();
    return isNumber && Math.abs(parser.getDoubleValue()) >= FIRST_MILLISECONDS
        ? Instant.ofEpochMilli(parser.getLongValue())
        : plain.deserialize(parser, context);
  }

  /** The format of a field's annotation stays. */
  @Override
  @SuppressWarnings("unchecked")
  public JsonDeserializer<?> createContextual(DeserializationContext context, BeanProperty property)
      throws JsonMappingException {
    JsonDeserializer<?> own = ((ContextualDeserializer) plain).createContextual(context, property);
    return new InstantReader((JsonDeserializer<Instant>) own);
  }
}
