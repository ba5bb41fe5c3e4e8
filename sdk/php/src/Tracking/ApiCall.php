<?php

declare(strict_types=1);

namespace NotificationCenter\Tracking;

use NotificationCenter\Internal\Json;
use NotificationCenter\Internal\Uuid;

/**
 * Checks a call of a route that has no method of its own.
 *
 * @internal
 */
final class ApiCall
{
    private const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

    /**
     * Returns the JSON of the body and the Idempotency-Key, each of them null for none.
     *
     * @return array{string|null, string|null}
     * @throws \InvalidArgumentException
     */
    public static function check(string $method, string $path, mixed $body): array
    {
        if (!in_array($method, self::METHODS, true)) {
            throw new \InvalidArgumentException('method must be one of GET, POST, PUT, PATCH, DELETE.');
        }
        // Another beginning may lead to another host, and the key with it.
        if (preg_match('~\A/[!-"$-\[\]-\~]*\z~', $path) !== 1) {
            throw new \InvalidArgumentException(
                'path must begin with a slash, such as /v1/deliveries, and be encoded.',
            );
        }
        try {
            $text = $body === null ? null : Json::write($body);
        } catch (\JsonException $exception) {
            throw new \InvalidArgumentException("body cannot be sent as JSON: {$exception->getMessage()}.");
        }
        // PHP writes an empty array as a list, and no route takes one.
        if ($text === '[]') {
            $text = '{}';
        }
        // The service refuses a key in the header beside another one in the body.
        $members = $text === null ? null : Json::members(Json::read($text));
        $hasKey = $method === 'GET' || isset($members['idempotencyKey']);
        return [$text, $hasKey ? null : Uuid::create()];
    }
}
