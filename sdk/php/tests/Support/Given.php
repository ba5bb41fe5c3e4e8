<?php

declare(strict_types=1);

namespace NotificationCenter\Tests\Support;

use NotificationCenter\NotificationClient;

/** Provides a client, and the service's side of an enricher call. */
final class Given
{
    public const AUTH = 'nc_auth_eu_test-0123456789abcdefghij';
    public const SDK = 'nc_sdk_eu_test-0123456789abcdefghij';
    public const SIGNING_KEY = 'a signing secret of a test';
    public const SECRETS = [self::AUTH, self::SDK, 'YSBzaWduaW5nIHNlY3JldCBvZiBhIHRlc3Q=', self::SIGNING_KEY];

    /** @param array<string, mixed> $options */
    public static function client(array $options = []): NotificationClient
    {
        $secrets = ['authSecretKey' => self::AUTH, 'sdkSecretKey' => self::SDK, 'baseUrl' => 'http://127.0.0.1:1'];
        $secrets['webhookSigningSecret'] = 'whsec_' . base64_encode(self::SIGNING_KEY);
        return new NotificationClient(...[...$secrets, ...$options]);
    }

    /**
     * Signs a call like the service.
     *
     * @return array{name: string, payload: string, params: mixed, headers: array<string, string>}
     */
    public static function signedCall(string $name, mixed $params, ?int $sentAt = null, string $id = 'enr_1'): array
    {
        $payload = self::json([
            'id' => $id,
            'name' => $name,
            'params' => $params,
            'user' => ['id' => 'u_42'],
            'event' => ['name' => 'order.shipped', 'properties' => new \stdClass()],
        ]);
        $timestamp = (string) ($sentAt ?? time());
        $mac = hash_hmac('sha256', "$id.$timestamp.$payload", self::SIGNING_KEY, true);
        $signature = 'v1,' . base64_encode($mac);
        $headers = ['webhook-id' => $id, 'webhook-timestamp' => $timestamp, 'webhook-signature' => $signature];
        return ['name' => $name, 'payload' => $payload, 'params' => $params, 'headers' => $headers];
    }

    public static function json(mixed $value): string
    {
        $form = \JSON_PRESERVE_ZERO_FRACTION | \JSON_UNESCAPED_UNICODE | \JSON_UNESCAPED_SLASHES;
        return json_encode($value, \JSON_THROW_ON_ERROR | $form);
    }
}
