<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

use NotificationCenter\Internal\Json;

/**
 * Holds the three headers of Standard Webhooks.
 *
 * @internal
 */
final class SignedHeaders
{
    private function __construct(
        public readonly string $id,
        public readonly string $timestamp,
        public readonly string $signature,
    ) {
    }

    /**
     * Returns the three headers: all from the request when it has any of them, else all from the copies in the body.
     *
     * @throws EnricherHmacVerificationException
     */
    public static function find(mixed $real, mixed $copied): self
    {
        $headers = self::read($real);
        if ($headers->id === '' && $headers->timestamp === '' && $headers->signature === '') {
            $headers = self::read($copied);
        }
        if ($headers->id === '' || $headers->timestamp === '' || $headers->signature === '') {
            throw new EnricherHmacVerificationException(HmacFailureReason::MissingHeader);
        }
        return $headers;
    }

    private static function read(mixed $source): self
    {
        $found = [];
        foreach (Json::members($source) ?? [] as $name => $value) {
            $found[strtolower($name)] = self::toText($value);
        }
        $header = static fn (string $name): string => $found[$name] ?? '';
        return new self($header('webhook-id'), $header('webhook-timestamp'), $header('webhook-signature'));
    }

    /** Joins the list of a repeated header to one list of signatures. */
    private static function toText(mixed $value): string
    {
        if (is_array($value)) {
            $texts = array_filter($value, static fn (mixed $one): bool => !is_array($one));
            return implode(' ', array_map(self::toText(...), $texts));
        }
        return is_string($value) ? trim($value) : (is_int($value) || is_float($value) ? (string) $value : '');
    }
}
