<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

/** Reports a call of an enricher that is not registered on this client. */
final class EnricherNotFoundException extends EnricherException
{
    public function __construct(string $enricher)
    {
        parent::__construct("No enricher \"$enricher\" is registered here.", EnricherErrorCode::EnricherNotFound);
    }
}
