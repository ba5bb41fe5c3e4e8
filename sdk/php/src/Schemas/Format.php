<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

/**
 * Checks texts by their `format`. An unknown format fits, as JSON Schema wants it.
 *
 * @internal
 */
final class Format
{
    private const TIME = '([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)';
    private const LABEL = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
    private const HOSTNAME = '/\A(?=.{1,253}\z)' . self::LABEL . '(\.' . self::LABEL . ')*\z/i';

    public static function fits(string $format, string $text): bool
    {
        return match ($format) {
            'date' => self::isDate($text),
            'time' => preg_match('/\A' . self::TIME . '\z/i', $text) === 1,
            'date-time' => preg_match('/\A(.{10})[t ]' . self::TIME . '\z/i', $text, $parts) === 1
                && self::isDate($parts[1]),
            'email' => filter_var($text, \FILTER_VALIDATE_EMAIL) !== false,
            'uuid' => preg_match('/\A[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\z/i', $text) === 1,
            'ipv4' => filter_var($text, \FILTER_VALIDATE_IP, \FILTER_FLAG_IPV4) !== false,
            'ipv6' => filter_var($text, \FILTER_VALIDATE_IP, \FILTER_FLAG_IPV6) !== false,
            'hostname' => preg_match(self::HOSTNAME, $text) === 1,
            'uri' => preg_match('/\A[a-z][a-z0-9+.-]*:[^\s<>"{}|\\\\^`]*\z/i', $text) === 1,
            'regex' => Pattern::isValid($text),
            'json-pointer' => preg_match('~\A(/([^/\~]|\~[01])*)*\z~', $text) === 1,
            default => true,
        };
    }

    private static function isDate(string $text): bool
    {
        return preg_match('/\A(\d{4})-(\d\d)-(\d\d)\z/', $text, $parts) === 1
            && checkdate((int) $parts[2], (int) $parts[3], max((int) $parts[1], 1));
    }
}
