/** Shows the SDK without a framework. */
module org.notificationcenter.example {
  requires org.notificationcenter;
  requires jdk.httpserver;

  // Jackson binds the params of the enricher.
  opens org.notificationcenter.example to
      com.fasterxml.jackson.databind;
}
