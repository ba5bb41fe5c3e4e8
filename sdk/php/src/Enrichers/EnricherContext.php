<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

/** Describes a call to the handler of an enricher, beside its params. */
final class EnricherContext
{
    /**
     * @param string $name the name of the enricher
     * @param string $id equal for each attempt of one call, so that a handler can recognise a repeat
     * @param array<string, mixed> $user data of the campaign: `id`, `locale`, …
     * @param array<string, mixed> $event data of the campaign: `name`, `properties`, …
     * @param \DateTimeImmutable $sentAt when the service sent this attempt, to the second
     */
    public function __construct(
        public readonly string $name,
        public readonly string $id,
        public readonly array $user,
        public readonly array $event,
        public readonly \DateTimeImmutable $sentAt,
    ) {
    }
}
