<?php

declare(strict_types=1);

namespace NotificationCenter;

/** Describes an event that the service has stored on disk. */
final class TrackAnswer
{
    /**
     * @param bool $duplicate true when the service had this idempotency key already and did nothing more
     * @param string $receivedAt ISO 8601, in UTC with milliseconds
     */
    public function __construct(
        public readonly string $eventId,
        public readonly string $correlationId,
        public readonly bool $duplicate,
        public readonly string $receivedAt,
    ) {
    }
}
