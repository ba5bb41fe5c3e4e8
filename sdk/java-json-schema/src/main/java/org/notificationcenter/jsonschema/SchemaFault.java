package org.notificationcenter.jsonschema;

import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;

/** Reports a fault of a schema with its place. */
final class SchemaFault extends SchemaException {
  private static final long serialVersionUID = 1L;

  SchemaFault(String place, String message) {
    super(place + ": " + message);
  }

  /** Returns a place in the schema: {@code #/…}, after the address of a part that has its own. */
  static String place(SchemaLocation location) {
    String text = location.toString();
    String root = SchemaCompiler.ROOT + "#";
    return text.startsWith(root) ? text.substring(root.length() - 1) : text;
  }
}
