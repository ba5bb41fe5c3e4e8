<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

/**
 * Applies the keywords of lists.
 *
 * @internal
 */
final class ListKeywords
{
    public function __construct(private readonly Evaluator $evaluator, private readonly Draft $draft)
    {
    }

    /**
     * @param array<string, mixed> $keywords
     * @param list<mixed> $items
     */
    public function apply(array $keywords, array $items, string $at, string $place, Outcome $outcome): void
    {
        $this->applyCounts($keywords, $items, $at, $place, $outcome);
        $this->applyItems($keywords, $items, $at, $place, $outcome);
        $this->applyContains($keywords, $items, $at, $place, $outcome);
        if (array_key_exists('unevaluatedItems', $keywords)) {
            $rest = array_diff_key($items, $outcome->items);
            $this->applyToAll($keywords['unevaluatedItems'], $rest, "$at/unevaluatedItems", $place, $outcome);
        }
    }

    /**
     * @param array<string, mixed> $keywords
     * @param list<mixed> $items
     */
    private function applyCounts(array $keywords, array $items, string $at, string $place, Outcome $outcome): void
    {
        $count = count($items);
        $minimum = $keywords['minItems'] ?? null;
        if (is_numeric($minimum) && $count < $minimum) {
            $this->evaluator->fail($outcome, 'minItems', $at, $place, "The list has fewer than $minimum items.");
        }
        $maximum = $keywords['maxItems'] ?? null;
        if (is_numeric($maximum) && $count > $maximum) {
            $this->evaluator->fail($outcome, 'maxItems', $at, $place, "The list has more than $maximum items.");
        }
        if (($keywords['uniqueItems'] ?? false) === true && self::hasEqualItems($items)) {
            $this->evaluator->fail($outcome, 'uniqueItems', $at, $place, 'Two items of the list are equal.');
        }
    }

    /** @param list<mixed> $items */
    private static function hasEqualItems(array $items): bool
    {
        foreach ($items as $at => $item) {
            for ($before = 0; $before < $at; $before++) {
                if (Evaluator::isEqual($items[$before], $item)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Applies schemas by place, then the one for the rest: `prefixItems` and `items`, before draft 2020-12 `items` as a
     * list and `additionalItems`.
     *
     * @param array<string, mixed> $keywords
     * @param list<mixed> $items
     */
    private function applyItems(array $keywords, array $items, string $at, string $place, Outcome $outcome): void
    {
        $all = $keywords['items'] ?? null;
        $isOldList = is_array($all);
        $prefixName = $isOldList ? 'items' : 'prefixItems';
        $newList = $this->draft === Draft::Draft2020 ? (array) ($keywords['prefixItems'] ?? []) : [];
        $prefix = $isOldList ? $all : $newList;
        foreach (array_slice(array_values($prefix), 0, count($items)) as $index => $schema) {
            $this->applyToAll($schema, [$index => $items[$index]], "$at/$prefixName/$index", $place, $outcome);
        }
        $restName = $isOldList ? 'additionalItems' : 'items';
        if (array_key_exists($restName, $keywords)) {
            $rest = array_slice($items, count($prefix), null, true);
            $this->applyToAll($keywords[$restName], $rest, "$at/$restName", $place, $outcome);
        }
    }

    /**
     * @param array<string, mixed> $keywords
     * @param list<mixed> $items
     */
    private function applyContains(array $keywords, array $items, string $at, string $place, Outcome $outcome): void
    {
        if (!array_key_exists('contains', $keywords)) {
            return;
        }
        $found = 0;
        foreach ($items as $index => $item) {
            if ($this->evaluator->evaluate($keywords['contains'], $item, "$at/contains", "$place/$index")->isValid()) {
                $found++;
                if ($this->draft === Draft::Draft2020) {
                    $outcome->items[$index] = true;
                }
            }
        }
        $minimum = is_numeric($keywords['minContains'] ?? null) ? $keywords['minContains'] : 1;
        $maximum = is_numeric($keywords['maxContains'] ?? null) ? $keywords['maxContains'] : \PHP_INT_MAX;
        if ($found < $minimum || $found > $maximum) {
            $this->evaluator->fail($outcome, 'contains', $at, $place, "The list contains $found of the wanted items.");
        }
    }

    /** @param array<int, mixed> $items */
    private function applyToAll(mixed $schema, array $items, string $at, string $place, Outcome $outcome): void
    {
        foreach ($items as $index => $item) {
            $inner = $this->evaluator->evaluate($schema, $item, $at, "$place/$index");
            $outcome->issues = [...$outcome->issues, ...$inner->issues];
            $outcome->items[$index] = true;
        }
    }
}
