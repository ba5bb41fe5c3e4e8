<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

/** Reports `params` that do not fit the schema. */
final class EnricherInputValidationException extends EnricherException
{
    /** @param list<mixed> $details the validator's own issues */
    public function __construct(string $enricher, public readonly array $details)
    {
        parent::__construct("The params do not fit the schema of \"$enricher\".", EnricherErrorCode::InputInvalid);
    }
}
