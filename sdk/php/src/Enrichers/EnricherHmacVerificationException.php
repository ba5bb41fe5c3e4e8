<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

/** Reports a call that the service has not signed, that is for another enricher, or that is too old. */
final class EnricherHmacVerificationException extends EnricherException
{
    public function __construct(public readonly HmacFailureReason $reason)
    {
        parent::__construct($reason->message(), EnricherErrorCode::HmacInvalid);
    }
}
