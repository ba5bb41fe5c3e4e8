<?php

declare(strict_types=1);

namespace NotificationCenter\Tests\Support;

use Psr\Log\AbstractLogger;

/** Keeps what is logged. */
final class ListLogger extends AbstractLogger
{
    /** @var list<array{mixed, string, array<mixed>}> */
    public array $lines = [];

    /** @param array<mixed> $context */
    public function log($level, $message, array $context = []): void
    {
        $this->lines[] = [$level, (string) $message, $context];
    }
}
