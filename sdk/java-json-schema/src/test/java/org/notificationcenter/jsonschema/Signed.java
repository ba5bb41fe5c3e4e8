package org.notificationcenter.jsonschema;

import org.notificationcenter.DispatchResponse;
import org.notificationcenter.NotificationClient;
import org.notificationcenter.ParamsSchema;

/** Calls one enricher as the service does. */
final class Signed {
  private static final String SECRET = "whsec_" + "c2VjcmV0".repeat(4);

  final NotificationClient client =
      NotificationClient.builder()
          .authSecretKey("nc_auth_eu_test-0123456789abcdefghij")
          .sdkSecretKey("nc_sdk_eu_test-0123456789abcdefghij")
          .webhookSigningSecret(SECRET)
          .baseUrl("http://127.0.0.1:1")
          .build();

  Signed(ParamsSchema<?> schema) {
    client.enricher("e", schema, (params, context) -> "reached");
  }

  DispatchResponse dispatch(Object params) {
    return client.dispatch(NotificationClient.signEnricherCall(SECRET, "e", params));
  }
}
