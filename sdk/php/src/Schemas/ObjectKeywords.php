<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

use NotificationCenter\Internal\Json;

/**
 * Applies the keywords of objects.
 *
 * @internal
 */
final class ObjectKeywords
{
    public function __construct(private readonly Evaluator $evaluator, private readonly Pattern $patterns)
    {
    }

    /**
     * @param array<string, mixed> $keywords
     * @param array<int|string, mixed> $members members of the object
     */
    public function apply(
        array $keywords,
        array $members,
        string $at,
        string $place,
        Outcome $outcome,
        \stdClass $object,
    ): void {
        $this->applyCounts($keywords, $members, $at, $place, $outcome);
        $this->applyMembers($keywords, $members, $at, $place, $outcome);
        $this->applyDependencies($keywords, $members, $at, $place, $outcome, $object);
        $rest = array_diff_key($members, $outcome->properties);
        if (array_key_exists('unevaluatedProperties', $keywords)) {
            $this->applyToAll($keywords['unevaluatedProperties'], $rest, "$at/unevaluatedProperties", $place, $outcome);
        }
    }

    /**
     * @param array<string, mixed> $keywords
     * @param array<int|string, mixed> $members
     */
    private function applyCounts(array $keywords, array $members, string $at, string $place, Outcome $outcome): void
    {
        foreach ((array) ($keywords['required'] ?? []) as $name) {
            if (is_string($name) && !array_key_exists($name, $members)) {
                $this->evaluator->fail($outcome, 'required', $at, $place, "The property $name is missing.");
            }
        }
        $count = count($members);
        $minimum = $keywords['minProperties'] ?? null;
        if (is_numeric($minimum) && $count < $minimum) {
            $this->evaluator->fail($outcome, 'minProperties', $at, $place, "There are fewer than $minimum properties.");
        }
        $maximum = $keywords['maxProperties'] ?? null;
        if (is_numeric($maximum) && $count > $maximum) {
            $this->evaluator->fail($outcome, 'maxProperties', $at, $place, "There are more than $maximum properties.");
        }
        if (array_key_exists('propertyNames', $keywords)) {
            $names = $keywords['propertyNames'];
            foreach (array_keys($members) as $name) {
                $inner = $this->evaluator->evaluate($names, (string) $name, "$at/propertyNames", "$place/$name");
                $outcome->issues = [...$outcome->issues, ...$inner->issues];
            }
        }
    }

    /**
     * @param array<string, mixed> $keywords
     * @param array<int|string, mixed> $members
     */
    private function applyMembers(array $keywords, array $members, string $at, string $place, Outcome $outcome): void
    {
        $evaluated = [];
        foreach (Json::members($keywords['properties'] ?? null) ?? [] as $name => $schema) {
            if (array_key_exists($name, $members)) {
                $evaluated[$name] = true;
                $this->applyToAll($schema, [$name => $members[$name]], "$at/properties/$name", $place, $outcome);
            }
        }
        foreach (Json::members($keywords['patternProperties'] ?? null) ?? [] as $pattern => $schema) {
            foreach ($members as $name => $value) {
                if ($this->patterns->matches((string) $pattern, (string) $name)) {
                    $evaluated[$name] = true;
                    $this->applyToAll($schema, [$name => $value], "$at/patternProperties/$pattern", $place, $outcome);
                }
            }
        }
        $outcome->properties += $evaluated;
        if (array_key_exists('additionalProperties', $keywords)) {
            $rest = array_diff_key($members, $evaluated);
            $this->applyToAll($keywords['additionalProperties'], $rest, "$at/additionalProperties", $place, $outcome);
        }
    }

    /** @param array<int|string, mixed> $members */
    private function applyToAll(mixed $schema, array $members, string $at, string $place, Outcome $outcome): void
    {
        foreach ($members as $name => $value) {
            $escaped = str_replace(['~', '/'], ['~0', '~1'], (string) $name);
            $inner = $this->evaluator->evaluate($schema, $value, $at, "$place/$escaped");
            $outcome->issues = [...$outcome->issues, ...$inner->issues];
            $outcome->properties[$name] = true;
        }
    }

    /**
     * @param array<string, mixed> $keywords
     * @param array<int|string, mixed> $members
     */
    private function applyDependencies(
        array $keywords,
        array $members,
        string $at,
        string $place,
        Outcome $outcome,
        \stdClass $object,
    ): void {
        foreach (['dependentRequired', 'dependentSchemas', 'dependencies'] as $keyword) {
            foreach (Json::members($keywords[$keyword] ?? null) ?? [] as $name => $dependency) {
                if (!array_key_exists($name, $members)) {
                    continue;
                }
                if (!is_array($dependency)) {
                    $outcome->add($this->evaluator->evaluate($dependency, $object, "$at/$keyword/$name", $place));
                    continue;
                }
                foreach ($dependency as $needed) {
                    if (is_string($needed) && !array_key_exists($needed, $members)) {
                        $error = "The property $needed is missing beside $name.";
                        $this->evaluator->fail($outcome, $keyword, $at, $place, $error);
                    }
                }
            }
        }
    }
}
