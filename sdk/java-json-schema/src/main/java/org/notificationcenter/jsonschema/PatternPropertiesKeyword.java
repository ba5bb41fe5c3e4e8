package org.notificationcenter.jsonschema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.AbstractKeyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.keyword.PatternPropertiesValidator;
import java.util.Map;

/** Makes the validators of {@code patternProperties}, except those that fail for all params. */
final class PatternPropertiesKeyword extends AbstractKeyword {
  PatternPropertiesKeyword() {
    super("patternProperties");
  }

  @Override
  public KeywordValidator newValidator(
      SchemaLocation location, JsonNode value, Schema parent, SchemaContext context) {
    String id = context.getDialect().getIdKeyword();
    for (Map.Entry<String, JsonNode> part : value.properties()) {
      if (!part.getValue().has(id)) continue;
      // The validator (2.0.8) then throws a NullPointerException for each name that matches.
      String place = SchemaFault.place(location.append(part.getKey()).append(id));
      throw new SchemaFault(place, "an address is not supported here; put it into $defs");
    }
    return new PatternPropertiesValidator(location, value, parent, context);
  }
}
