<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

/** Reports a registration with a duplicate or empty name, an invalid schema, or no handler. */
final class EnricherRegistrationException extends \InvalidArgumentException
{
}
