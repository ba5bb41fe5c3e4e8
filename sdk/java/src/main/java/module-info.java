/**
 * Sends events to the notification service, computes user tokens, and answers enricher calls.
 *
 * <p>A class that Jackson binds (params of a handler, properties of an event) must be in a package
 * that is open to {@code com.fasterxml.jackson.databind}.
 */
module org.notificationcenter {
  requires transitive com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.datatype.jdk8;
  requires com.fasterxml.jackson.datatype.jsr310;
  requires transitive java.net.http;
  requires static jakarta.servlet;
  requires static jakarta.validation;
  requires static jdk.httpserver;
  requires static tools.jackson.databind;

  exports org.notificationcenter;
  exports org.notificationcenter.httpserver;
  exports org.notificationcenter.servlet;
}
