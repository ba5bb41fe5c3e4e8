package org.notificationcenter.jsonschema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.AbstractKeyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.keyword.RefValidator;
import com.networknt.schema.path.NodePath;

/** Follows a {@code $ref} that leads to a part of the schema, and counts how often it does. */
final class CountedReference extends RefValidator {
  /** Makes the validators of {@code $ref}. */
  static final class Keyword extends AbstractKeyword {
    Keyword() {
      super("$ref");
    }

    @Override
    public KeywordValidator newValidator(
        SchemaLocation location, JsonNode value, Schema parent, SchemaContext context) {
      return new CountedReference(location, value, parent, context);
    }
  }

  private final String target;

  private CountedReference(
      SchemaLocation location, JsonNode value, Schema parent, SchemaContext context) {
    super(location, value, parent, context);
    this.target = value.asText();
  }

  @Override
  public void preloadSchema() {
    Schema schema = null;
    try {
      schema = getSchemaRef().getSchema();
    } catch (RuntimeException error) {
      // The registry refuses each address that is not in the schema.
    }
    if (schema == null)
      throw new SchemaFault(
          SchemaFault.place(getSchemaLocation()), "the $ref \"" + target + "\" leads nowhere");
    schema.initializeValidators();
  }

  @Override
  public void validate(
      ExecutionContext context, JsonNode value, JsonNode root, NodePath place) {
    Budget.current().spend(Budget.REFERENCE, "$ref");
    super.validate(context, value, root, place);
  }
}
