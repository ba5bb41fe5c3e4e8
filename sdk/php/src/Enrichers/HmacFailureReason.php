<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

/** Lists the reasons of `hmac-invalid`, which all SDKs share. */
enum HmacFailureReason: string
{
    case MissingHeader = 'missing-header';
    case BadSignature = 'bad-signature';
    case StaleTimestamp = 'stale-timestamp';

    public function message(): string
    {
        return match ($this) {
            self::MissingHeader => 'webhook-id, webhook-timestamp and webhook-signature are needed.',
            self::BadSignature => 'The signature does not belong to this call.',
            self::StaleTimestamp => 'The timestamp is more than five minutes off.',
        };
    }
}
