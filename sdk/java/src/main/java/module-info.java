/**
 * Sends events to the notification service, computes user tokens, and answers enricher calls.
 *
 * <p>A class that Jackson binds (params of a handler, properties of an event) must be in a package
 * that is open to {@code com.fasterxml.jackson.databind}.
 */
module org.notificationcenter {
  requires transitive com.fasterxml.jackson.databind;
  requires transitive java.net.http;
  requires static jakarta.servlet;
  requires static jdk.httpserver;

  exports org.notificationcenter;
  exports org.notificationcenter.httpserver;
  exports org.notificationcenter.servlet;
}
