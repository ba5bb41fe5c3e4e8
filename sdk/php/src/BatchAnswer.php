<?php

declare(strict_types=1);

namespace NotificationCenter;

/** Holds one result for each event of a batch, in their order. */
final class BatchAnswer
{
    /**
     * @param list<BatchResult> $results
     * @param string|null $correlationId finds the call in the service's log; null when the answer named none
     */
    public function __construct(
        public readonly array $results,
        public readonly ?string $correlationId,
    ) {
    }
}
