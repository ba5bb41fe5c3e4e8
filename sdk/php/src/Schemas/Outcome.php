<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

/**
 * Collects what one schema found in one value: issues, and the properties and items that it evaluated.
 *
 * @internal
 */
final class Outcome
{
    /** @var list<array{keyword: string, keywordLocation: string, instanceLocation: string, error: string}> */
    public array $issues = [];
    /** @var array<int|string, true> names of evaluated properties */
    public array $properties = [];
    /** @var array<int, true> places of evaluated items */
    public array $items = [];

    public function isValid(): bool
    {
        return $this->issues === [];
    }

    /** Takes over all of a subschema that must hold. */
    public function add(self $inner): void
    {
        $this->issues = [...$this->issues, ...$inner->issues];
        $this->addEvaluated($inner);
    }

    /** Takes over what a subschema of the same value evaluated; one that does not hold evaluated nothing. */
    public function addEvaluated(self $inner): void
    {
        if ($inner->isValid()) {
            $this->properties += $inner->properties;
            $this->items += $inner->items;
        }
    }
}
