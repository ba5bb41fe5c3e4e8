<?php

declare(strict_types=1);

namespace NotificationCenter\Tracking;

/**
 * Holds the service's answer to one call.
 *
 * @internal
 */
final class Sent
{
    /**
     * @param array<string, mixed> $body
     * @param string|null $correlationId the header of the answer
     */
    public function __construct(
        public readonly array $body,
        public readonly ?string $correlationId,
    ) {
    }
}
