<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

/**
 * Applies the keywords that need no other schema: types, constants, bounds, lengths, patterns and formats.
 *
 * @internal
 */
final class ScalarKeywords
{
    public function __construct(private readonly Pattern $patterns)
    {
    }

    /**
     * @param array<string, mixed> $keywords
     * @return iterable<string, string> errors by keyword
     */
    public function faults(array $keywords, mixed $value): iterable
    {
        if (isset($keywords['type']) && !self::isOfTypes((array) $keywords['type'], $value)) {
            $names = implode(' or ', array_filter((array) $keywords['type'], is_string(...)));
            yield 'type' => "The value is not of the type $names.";
        }
        if (array_key_exists('const', $keywords) && !Evaluator::isEqual($value, $keywords['const'])) {
            yield 'const' => 'The value is another than the constant.';
        }
        if (isset($keywords['enum'])) {
            $isEqual = static fn (mixed $one): bool => Evaluator::isEqual($value, $one);
            if (array_filter((array) $keywords['enum'], $isEqual) === []) {
                yield 'enum' => 'The value is none of the enumeration.';
            }
        }
        if (is_int($value) || is_float($value)) {
            yield from $this->numberFaults($keywords, $value);
        }
        if (is_string($value)) {
            yield from $this->textFaults($keywords, $value);
        }
    }

    /** @param array<mixed> $types */
    private static function isOfTypes(array $types, mixed $value): bool
    {
        foreach ($types as $type) {
            $fits = match ($type) {
                'null' => $value === null,
                'boolean' => is_bool($value),
                'string' => is_string($value),
                'array' => is_array($value),
                'object' => $value instanceof \stdClass,
                'number' => is_int($value) || is_float($value),
                'integer' => is_int($value) || (is_float($value) && floor($value) === $value),
                default => false,
            };
            if ($fits) {
                return true;
            }
        }
        return false;
    }

    /**
     * @param array<string, mixed> $keywords
     * @return iterable<string, string>
     */
    private function numberFaults(array $keywords, int|float $value): iterable
    {
        $bound = static function (string $name) use ($keywords): int|float|null {
            $given = $keywords[$name] ?? null;
            return is_int($given) || is_float($given) ? $given : null;
        };
        // In draft 4, `exclusiveMinimum: true` changes the meaning of `minimum`.
        $isOpen = static fn (string $name): bool => ($keywords[$name] ?? null) === true;
        $minimum = $bound('minimum');
        if ($minimum !== null && ($value < $minimum || ($value == $minimum && $isOpen('exclusiveMinimum')))) {
            yield 'minimum' => "The value is less than $minimum.";
        }
        $maximum = $bound('maximum');
        if ($maximum !== null && ($value > $maximum || ($value == $maximum && $isOpen('exclusiveMaximum')))) {
            yield 'maximum' => "The value is greater than $maximum.";
        }
        if ($bound('exclusiveMinimum') !== null && $value <= $bound('exclusiveMinimum')) {
            yield 'exclusiveMinimum' => "The value is not greater than {$bound('exclusiveMinimum')}.";
        }
        if ($bound('exclusiveMaximum') !== null && $value >= $bound('exclusiveMaximum')) {
            yield 'exclusiveMaximum' => "The value is not less than {$bound('exclusiveMaximum')}.";
        }
        $step = $bound('multipleOf');
        if ($step !== null && $step > 0 && !self::isMultiple($value, $step)) {
            yield 'multipleOf' => "The value is no multiple of $step.";
        }
    }

    private static function isMultiple(int|float $value, int|float $step): bool
    {
        if (is_int($value) && is_int($step)) {
            return $value % $step === 0;
        }
        $quotient = $value / $step;
        if (!is_finite($quotient)) {
            return fmod((float) $value, (float) $step) === 0.0;
        }
        // Binary fractions: 0.3 / 0.1 is 2.9999999999999996.
        return abs($quotient - round($quotient)) < 1e-9 * max(1, abs($quotient));
    }

    /**
     * @param array<string, mixed> $keywords
     * @return iterable<string, string>
     */
    private function textFaults(array $keywords, string $value): iterable
    {
        // Counts characters, not bytes: those that do not continue one.
        $length = strlen($value) - (int) preg_match_all('/[\x80-\xBF]/', $value);
        $minimum = $keywords['minLength'] ?? null;
        if (is_numeric($minimum) && $length < $minimum) {
            yield 'minLength' => "The text is shorter than $minimum characters.";
        }
        $maximum = $keywords['maxLength'] ?? null;
        if (is_numeric($maximum) && $length > $maximum) {
            yield 'maxLength' => "The text is longer than $maximum characters.";
        }
        $pattern = $keywords['pattern'] ?? null;
        if (is_string($pattern) && !$this->patterns->matches($pattern, $value)) {
            yield 'pattern' => 'The text does not match the pattern.';
        }
        $format = $keywords['format'] ?? null;
        if (is_string($format) && !Format::fits($format, $value)) {
            yield 'format' => "The text is not of the format $format.";
        }
    }
}
