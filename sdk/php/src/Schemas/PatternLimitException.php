<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

/**
 * Reports that PCRE gave up on a pattern, so that nobody knows whether it matches: within `not` a plain "no" would let
 * the value pass.
 *
 * @internal
 */
final class PatternLimitException extends \RuntimeException
{
    public function __construct(private readonly string $at = '#', private readonly string $place = '#')
    {
        parent::__construct('The text is too costly to match with the pattern.');
    }

    /**
     * @param string $at place in the schema
     * @param string $place place in the value
     */
    public function within(string $at, string $place): self
    {
        return $this->at === '#' && $this->place === '#' ? new self($at, $place) : $this;
    }

    public function toInvalidParams(): InvalidParamsException
    {
        return new InvalidParamsException([[
            'keyword' => 'pattern',
            'keywordLocation' => $this->at,
            'instanceLocation' => $this->place,
            'error' => $this->getMessage(),
        ]]);
    }
}
