<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

use NotificationCenter\Internal\Json;

/**
 * Evaluates a schema on a value: references, types, and schemas in one place. Objects and lists have their own classes.
 *
 * @internal
 */
final class Evaluator
{
    /** A reference that leads to itself would never end. */
    private const MAX_DEPTH = 500;

    private readonly ScalarKeywords $scalars;
    private readonly ObjectKeywords $objects;
    private readonly ListKeywords $lists;
    private int $depth = 0;

    public function __construct(private readonly References $references, private readonly Draft $draft)
    {
        $patterns = new Pattern();
        $this->scalars = new ScalarKeywords($patterns);
        $this->objects = new ObjectKeywords($this, $patterns);
        $this->lists = new ListKeywords($this, $draft);
    }

    /**
     * @param mixed $schema a checked schema
     * @param mixed $value parsed JSON
     * @param string $at place in the schema
     * @param string $place place in the value
     * @throws PatternLimitException
     */
    public function evaluate(mixed $schema, mixed $value, string $at, string $place): Outcome
    {
        $outcome = new Outcome();
        if (is_bool($schema)) {
            if (!$schema) {
                $this->fail($outcome, 'false', $at, $place, 'No value is allowed here.');
            }
            return $outcome;
        }
        if ($this->depth > self::MAX_DEPTH) {
            $this->fail($outcome, '$ref', $at, $place, 'The references are nested too deeply.');
            return $outcome;
        }
        $this->depth++;
        try {
            $this->apply(Json::members($schema) ?? [], $schema, $value, $at, $place, $outcome);
        } catch (PatternLimitException $exception) {
            throw $exception->within($at, $place);
        } finally {
            $this->depth--;
        }
        return $outcome;
    }

    public function fail(Outcome $outcome, string $keyword, string $at, string $place, string $error): void
    {
        $outcome->issues[] = [
            'keyword' => $keyword,
            'keywordLocation' => $keyword === 'false' ? $at : "$at/$keyword",
            'instanceLocation' => $place,
            'error' => $error,
        ];
    }

    /** @param array<string, mixed> $keywords */
    private function apply(
        array $keywords,
        mixed $schema,
        mixed $value,
        string $at,
        string $place,
        Outcome $outcome,
    ): void {
        if ($schema instanceof \stdClass && isset($keywords['$ref'])) {
            $outcome->add($this->evaluate($this->references->target($schema), $value, "$at/\$ref", $place));
            if ($this->draft->refStandsAlone()) {
                return;
            }
        }
        foreach ($this->scalars->faults($keywords, $value) as $keyword => $error) {
            $this->fail($outcome, $keyword, $at, $place, $error);
        }
        $this->applyLogic($keywords, $value, $at, $place, $outcome);
        // These two come after the others, because they ask for what others evaluated.
        if ($value instanceof \stdClass) {
            $this->objects->apply($keywords, (array) $value, $at, $place, $outcome, $value);
        } elseif (is_array($value)) {
            $this->lists->apply($keywords, array_values($value), $at, $place, $outcome);
        }
    }

    /** @param array<string, mixed> $keywords */
    private function applyLogic(array $keywords, mixed $value, string $at, string $place, Outcome $outcome): void
    {
        foreach ((array) ($keywords['allOf'] ?? []) as $index => $inner) {
            $outcome->add($this->evaluate($inner, $value, "$at/allOf/$index", $place));
        }
        foreach (['anyOf', 'oneOf'] as $keyword) {
            if (!isset($keywords[$keyword])) {
                continue;
            }
            $valid = 0;
            foreach ((array) $keywords[$keyword] as $index => $inner) {
                $one = $this->evaluate($inner, $value, "$at/$keyword/$index", $place);
                $valid += $one->isValid() ? 1 : 0;
                $outcome->addEvaluated($one);
            }
            if ($valid === 0 || ($keyword === 'oneOf' && $valid > 1)) {
                $this->fail($outcome, $keyword, $at, $place, "The value fits $valid of the schemas.");
            }
        }
        if (array_key_exists('not', $keywords)) {
            $inner = $this->evaluate($keywords['not'], $value, "$at/not", $place);
            if ($inner->isValid()) {
                $this->fail($outcome, 'not', $at, $place, 'The value fits the schema that it must not fit.');
            }
        }
        if (array_key_exists('if', $keywords)) {
            $condition = $this->evaluate($keywords['if'], $value, "$at/if", $place);
            $outcome->addEvaluated($condition);
            $branch = $condition->isValid() ? 'then' : 'else';
            if (array_key_exists($branch, $keywords)) {
                $outcome->add($this->evaluate($keywords[$branch], $value, "$at/$branch", $place));
            }
        }
    }

    /** Returns whether two values are equal JSON, where 1 and 1.0 are. */
    public static function isEqual(mixed $left, mixed $right): bool
    {
        return ($left instanceof \stdClass) === ($right instanceof \stdClass) && Json::isSame($left, $right);
    }
}
