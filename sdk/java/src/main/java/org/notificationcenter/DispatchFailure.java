package org.notificationcenter;

import java.util.List;

/**
 * Describes why a dispatch failed.
 *
 * @param code the stable kind of failure
 * @param message the failure for people; holds no secret and nothing of the handler's error
 * @param reason why the signature was refused; null for other codes
 * @param details the issues of the params; null for other codes
 * @param cause the error itself, for your log; it is not in the JSON
 */
public record DispatchFailure(
    EnricherErrorCode code,
    String message,
    HmacFailureReason reason,
    List<ParamsIssue> details,
    EnricherException cause) {
  static DispatchFailure of(EnricherException error) {
    HmacFailureReason reason =
        error instanceof EnricherHmacVerificationException hmac ? hmac.reason() : null;
    List<ParamsIssue> details =
        error instanceof EnricherInputValidationException input ? input.details() : null;
    return new DispatchFailure(error.code(), error.getMessage(), reason, details, error);
  }
}
