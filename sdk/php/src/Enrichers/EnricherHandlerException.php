<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

/**
 * Reports a handler that threw, or returned no JSON. `getPrevious()` is the original exception, which is not sent to
 * the service.
 */
final class EnricherHandlerException extends EnricherException
{
    public function __construct(string $message, \Throwable $previous)
    {
        parent::__construct($message, EnricherErrorCode::HandlerError, $previous);
    }
}
