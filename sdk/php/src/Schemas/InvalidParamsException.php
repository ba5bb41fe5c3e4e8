<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

/** Reports params that do not fit. `dispatch` answers `input-invalid` with the issues as `details`. */
final class InvalidParamsException extends \RuntimeException
{
    /** @param list<mixed> $issues any JSON values, such as messages with paths */
    public function __construct(public readonly array $issues)
    {
        parent::__construct('The params do not fit the schema.');
    }
}
