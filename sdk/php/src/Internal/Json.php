<?php

declare(strict_types=1);

namespace NotificationCenter\Internal;

/**
 * Reads, writes and compares JSON without losing the difference between `{}` and `[]`.
 *
 * Objects are `stdClass` inside the SDK, and associative arrays where a caller's code receives them.
 *
 * @internal
 */
final class Json
{
    private const WRITE = \JSON_THROW_ON_ERROR | \JSON_UNESCAPED_SLASHES | \JSON_UNESCAPED_UNICODE
        | \JSON_PRESERVE_ZERO_FRACTION;

    private const MAX_DEPTH = 512;

    /**
     * Writes times as ISO 8601 in UTC and zones by their names, wherever they are, and all else as json_encode() does.
     *
     * @throws \JsonException for what JSON cannot hold: NAN, invalid UTF-8, more than 512 levels
     */
    public static function write(mixed $value): string
    {
        return json_encode(self::withTimes($value, 0), self::WRITE, self::MAX_DEPTH);
    }

    private static function withTimes(mixed $value, int $depth): mixed
    {
        if ($depth > self::MAX_DEPTH) {
            throw new \JsonException('Maximum stack depth exceeded', \JSON_ERROR_DEPTH);
        }
        if ($value instanceof \DateTimeInterface) {
            $instant = \DateTimeImmutable::createFromInterface($value)->setTimezone(new \DateTimeZone('UTC'));
            return $instant->format('Y-m-d\TH:i:s.v\Z');
        }
        if ($value instanceof \DateTimeZone) {
            return $value->getName();
        }
        if ($value instanceof \JsonSerializable) {
            $written = $value->jsonSerialize();
            if ($written !== $value) {
                return self::withTimes($written, $depth + 1);
            }
        }
        $inner = static fn (mixed $one): mixed => self::withTimes($one, $depth + 1);
        if (is_array($value)) {
            return array_map($inner, $value);
        }
        // An enum is written by its value.
        if (!is_object($value) || $value instanceof \UnitEnum) {
            return $value;
        }
        $isArray = $value instanceof \ArrayObject || $value instanceof \ArrayIterator;
        return (object) array_map($inner, $isArray ? $value->getArrayCopy() : get_object_vars($value));
    }

    /** @throws \JsonException for a text that is not JSON, or has more than 512 levels */
    public static function read(string $text): mixed
    {
        return json_decode($text, false, 512, \JSON_THROW_ON_ERROR);
    }

    /** Parses a text. Returns null for a text that is not JSON, too. */
    public static function tryRead(string $text): mixed
    {
        try {
            return self::read($text);
        } catch (\JsonException) {
            return null;
        }
    }

    /**
     * Returns the members of a JSON object, which may be an associative array; null for any other value.
     *
     * @return array<string, mixed>|null
     */
    public static function members(mixed $value): ?array
    {
        if ($value instanceof \stdClass) {
            $value = (array) $value;
        } elseif (!is_array($value) || ($value !== [] && array_is_list($value))) {
            return null;
        }
        $members = [];
        foreach ($value as $name => $member) {
            $members[(string) $name] = $member;
        }
        return $members;
    }

    /** Returns the value with arrays in place of objects, as `json_decode($text, true)` returns it. */
    public static function toArrays(mixed $value): mixed
    {
        if ($value instanceof \stdClass) {
            $value = (array) $value;
        }
        return is_array($value) ? array_map(self::toArrays(...), $value) : $value;
    }

    /**
     * Compares by value, ignoring the order of keys. `$signed` is parsed JSON, so the recursion ends whatever `$given`
     * is. An array of `$given` may stand for a list or an object, because parsers of frameworks return arrays for both.
     */
    public static function isSame(mixed $given, mixed $signed): bool
    {
        if (is_int($signed) || is_float($signed)) {
            return (is_int($given) || is_float($given)) && (float) $given === (float) $signed;
        }
        if ($signed instanceof \stdClass) {
            return self::hasSameMembers($given, (array) $signed);
        }
        if (is_array($signed)) {
            return is_array($given) && self::hasSameMembers($given, $signed);
        }
        return $given === $signed;
    }

    /** @param array<int|string, mixed> $signed */
    private static function hasSameMembers(mixed $given, array $signed): bool
    {
        $members = $given instanceof \stdClass ? (array) $given : $given;
        if (!is_array($members) || count($members) !== count($signed)) {
            return false;
        }
        foreach ($signed as $name => $member) {
            if (!array_key_exists($name, $members) || !self::isSame($members[$name], $member)) {
                return false;
            }
        }
        return true;
    }
}
