package org.notificationcenter.jsonschema;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.AbstractKeyword;
import com.networknt.schema.keyword.KeywordValidator;

/** Refuses a keyword that the SDKs do not have in common. */
final class RefusedKeyword extends AbstractKeyword {
  RefusedKeyword(String name) {
    super(name);
  }

  @Override
  public KeywordValidator newValidator(
      SchemaLocation location, JsonNode value, Schema parent, SchemaContext context) {
    throw new SchemaFault(SchemaFault.place(location), "this keyword is not supported");
  }
}
