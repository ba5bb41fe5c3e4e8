package org.notificationcenter;

/** Names the failures after which a call is repeated. */
public enum Retry {
  /** After every failure. The default. */
  ALWAYS,

  /** Only after a failure that may pass: no answer, or the status 408, 425, 429 or 5xx. */
  TRANSIENT;

  boolean repeats(Throwable error) {
    if (this == ALWAYS || !(error instanceof NotificationRequestException refusal)) return true;
    int status = refusal.status();
    return status == 408 || status == 425 || status == 429 || status >= 500;
  }
}
