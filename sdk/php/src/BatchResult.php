<?php

declare(strict_types=1);

namespace NotificationCenter;

/**
 * Describes one event of a batch: stored (`eventId` and `duplicate`) or refused (`errorCode`, `message`, `reason`).
 * The fields of the other kind are null.
 */
final class BatchResult
{
    public function __construct(
        public readonly ?string $eventId = null,
        public readonly ?bool $duplicate = null,
        public readonly ?string $errorCode = null,
        public readonly ?string $message = null,
        public readonly ?string $reason = null,
    ) {
    }

    public function isStored(): bool
    {
        return $this->eventId !== null;
    }
}
