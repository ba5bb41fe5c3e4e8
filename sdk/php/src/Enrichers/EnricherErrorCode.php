<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

/** Lists the codes of failed enricher calls, which all SDKs share. */
enum EnricherErrorCode: string
{
    case InputInvalid = 'input-invalid';
    case HmacInvalid = 'hmac-invalid';
    case EnricherNotFound = 'enricher-not-found';
    case HandlerError = 'handler-error';
    case Internal = 'internal';

    /** Returns the HTTP status to answer with. */
    public function status(): int
    {
        return match ($this) {
            self::InputInvalid => 400,
            self::HmacInvalid => 401,
            self::EnricherNotFound => 404,
            self::HandlerError, self::Internal => 500,
        };
    }
}
