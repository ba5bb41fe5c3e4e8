/** Checks the params of enrichers by JSON Schema. */
module org.notificationcenter.jsonschema {
  requires transitive org.notificationcenter;
  requires com.networknt.schema;
  // The validator reads it only when it is there, for dates.
  requires com.ethlo.time;

  exports org.notificationcenter.jsonschema;
}
