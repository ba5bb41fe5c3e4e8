<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

use NotificationCenter\Internal\Json;

/**
 * Checks the type of each keyword of a JSON Schema, so that a mistake fails at registration and not at the first call.
 *
 * @internal
 */
final class SchemaFault
{
    private const KINDS = [
        'schema' => 'additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames'
            . ' not if then else',
        'schemas' => 'allOf anyOf oneOf prefixItems',
        'schema or schemas' => 'items',
        'map of schemas' => 'properties dependentSchemas $defs definitions',
        'map of patterns' => 'patternProperties',
        'dependencies' => 'dependencies',
        'map of texts' => 'dependentRequired',
        'text' => '$ref $id id $schema $anchor $dynamicAnchor format title description $comment',
        'count' => 'minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties',
        'number' => 'minimum maximum multipleOf',
        'number or yes or no' => 'exclusiveMinimum exclusiveMaximum',
        'yes or no' => 'uniqueItems deprecated readOnly writeOnly',
        'type' => 'type',
        'pattern' => 'pattern',
        'texts' => 'required',
        'list' => 'enum examples',
        'any' => 'const default contentEncoding contentMediaType contentSchema',
        'unsupported' => '$dynamicRef $recursiveRef',
    ];
    private const TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];
    /** Deeper schemas are not written by people. */
    private const MAX_DEPTH = 200;

    /** Finds the first fault, such as `#/properties/id/type: …`; null for a valid schema. Takes parsed JSON. */
    public static function find(mixed $schema): ?string
    {
        $keys = array_keys(Json::members($schema) ?? []);
        if ($keys !== [] && array_filter($keys, static fn (string $key): bool => self::kindOf($key) !== null) === []) {
            return 'none of its keys (' . implode(', ', array_slice($keys, 0, 3)) . ') is a keyword of JSON Schema';
        }
        return self::faultOf($schema, '#', 0);
    }

    private static function kindOf(string $keyword): ?string
    {
        foreach (self::KINDS as $kind => $keywords) {
            if (in_array($keyword, explode(' ', $keywords), true)) {
                return $kind;
            }
        }
        return null;
    }

    private static function faultOf(mixed $schema, string $path, int $depth): ?string
    {
        if (is_bool($schema)) {
            return null;
        }
        $members = Json::members($schema);
        if ($members === null) {
            return "$path: a schema is an object, true or false";
        }
        if ($depth > self::MAX_DEPTH) {
            return "$path: nested too deeply";
        }
        foreach ($members as $key => $value) {
            $kind = self::kindOf((string) $key);
            $fault = $kind === null ? null : self::valueFault($kind, $value, "$path/$key", $depth + 1);
            if ($fault !== null) {
                return $fault;
            }
        }
        return null;
    }

    private static function valueFault(string $kind, mixed $value, string $path, int $depth): ?string
    {
        $inner = static fn (mixed $one, string|int $key): ?string => self::faultOf($one, "$path/$key", $depth);
        $names = static fn (mixed $one, string|int $key): ?string => self::textsFault($one, "$path/$key");
        $pattern = static fn (mixed $one, string|int $key): ?string
            => self::patternFault((string) $key, $path) ?? $inner($one, $key);
        $dependency = static fn (mixed $one, string|int $key): ?string
            => is_array($one) ? $names($one, $key) : $inner($one, $key);
        return match ($kind) {
            'schema' => self::faultOf($value, $path, $depth),
            'schemas' => is_array($value) && $value !== [] ? self::first($value, $inner) : "$path: a list of schemas",
            'schema or schemas' => is_array($value)
                ? self::first($value, $inner)
                : self::faultOf($value, $path, $depth),
            'map of schemas' => self::mapFault($value, $path, $inner),
            'map of patterns' => self::mapFault($value, $path, $pattern),
            'dependencies' => self::mapFault($value, $path, $dependency),
            'map of texts' => self::mapFault($value, $path, $names),
            'pattern' => self::patternFault($value, $path),
            'texts' => self::textsFault($value, $path),
            'type' => self::typeFault($value, $path),
            'unsupported' => "$path: this keyword is not supported",
            default => self::isOfKind($kind, $value) ? null : "$path: must be a $kind",
        };
    }

    private static function isOfKind(string $kind, mixed $value): bool
    {
        $isNumber = is_int($value) || is_float($value);
        return match ($kind) {
            'text' => is_string($value),
            'list' => is_array($value),
            'number' => $isNumber,
            'count' => $isNumber && $value >= 0 && floor((float) $value) === (float) $value,
            'yes or no' => is_bool($value),
            'number or yes or no' => $isNumber || is_bool($value),
            default => true,
        };
    }

    private static function typeFault(mixed $value, string $path): ?string
    {
        $types = is_array($value) ? $value : [$value];
        foreach ($types as $type) {
            if (!is_string($type) || !in_array($type, self::TYPES, true)) {
                return "$path: " . Json::write($type) . ' is no type';
            }
        }
        return $types === [] ? "$path: must be a type" : null;
    }

    private static function patternFault(mixed $value, string $path): ?string
    {
        if (!is_string($value)) {
            return "$path: must be a pattern";
        }
        return Pattern::isValid($value) ? null : "$path: " . Json::write($value) . ' is no regular expression';
    }

    private static function textsFault(mixed $value, string $path): ?string
    {
        $isGood = is_array($value) && array_filter($value, is_string(...)) === $value;
        return $isGood ? null : "$path: must be a list of texts";
    }

    /** @param callable(mixed, string|int): ?string $judge */
    private static function mapFault(mixed $value, string $path, callable $judge): ?string
    {
        $members = Json::members($value);
        return $members === null ? "$path: must be an object" : self::first($members, $judge);
    }

    /**
     * @param array<int|string, mixed> $values
     * @param callable(mixed, string|int): ?string $judge
     */
    private static function first(array $values, callable $judge): ?string
    {
        foreach ($values as $key => $value) {
            $fault = $judge($value, $key);
            if ($fault !== null) {
                return $fault;
            }
        }
        return null;
    }
}
