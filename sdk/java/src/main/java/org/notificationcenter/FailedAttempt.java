package org.notificationcenter;

/**
 * Describes one failed attempt of a call.
 *
 * @param attempt 1 for the first attempt
 * @param error why it failed
 * @param delayMs milliseconds until the next attempt; null when there is none
 */
public record FailedAttempt(int attempt, Throwable error, Long delayMs) {}
