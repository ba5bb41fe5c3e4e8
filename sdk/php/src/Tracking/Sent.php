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
     * @param mixed $body the parsed JSON: objects are `stdClass`; of CSV its text; null for an empty answer
     * @param string|null $correlationId the header of the answer
     */
    public function __construct(
        public readonly mixed $body,
        public readonly ?string $correlationId,
    ) {
    }
}
