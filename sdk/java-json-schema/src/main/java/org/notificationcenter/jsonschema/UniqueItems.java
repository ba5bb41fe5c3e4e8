package org.notificationcenter.jsonschema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.AbstractKeyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.keyword.UniqueItemsValidator;
import com.networknt.schema.path.NodePath;

/** Checks the items of lists alone; the validator (2.0.8) would compare the values of objects too. */
final class UniqueItems extends UniqueItemsValidator {
  /** Makes the validators of {@code uniqueItems}. */
  static final class Keyword extends AbstractKeyword {
    Keyword() {
      super("uniqueItems");
    }

    @Override
    public KeywordValidator newValidator(
        SchemaLocation location, JsonNode value, Schema parent, SchemaContext context) {
      return new UniqueItems(location, value, parent, context);
    }
  }

  private UniqueItems(
      SchemaLocation location, JsonNode value, Schema parent, SchemaContext context) {
    super(location, value, parent, context);
  }

  @Override
  public void validate(ExecutionContext context, JsonNode value, JsonNode root, NodePath place) {
    if (value.isArray()) super.validate(context, value, root, place);
  }
}
