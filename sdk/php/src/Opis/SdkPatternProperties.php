<?php

declare(strict_types=1);

namespace NotificationCenter\Opis;

use NotificationCenter\Schemas\Pattern;
use NotificationCenter\Schemas\PatternLimitException;
use Opis\JsonSchema\Errors\ValidationError;
use Opis\JsonSchema\Keywords\PatternPropertiesKeyword;
use Opis\JsonSchema\Schema;
use Opis\JsonSchema\ValidationContext;

/**
 * Finds the properties whose names match patterns of ECMAScript.
 *
 * @internal
 */
final class SdkPatternProperties extends PatternPropertiesKeyword
{
    private readonly Pattern $patterns;

    /** @param array<int|string, mixed> $value checked schemas by pattern */
    public function __construct(array $value)
    {
        parent::__construct($value);
        $this->patterns = new Pattern();
    }

    /** @throws PatternLimitException with both places */
    public function validate(ValidationContext $context, Schema $schema): ?ValidationError
    {
        try {
            return parent::validate($context, $schema);
        } catch (PatternLimitException $exception) {
            $place = OpisSchema::pointer($context->fullDataPath());
            throw $exception->within(OpisSchema::pointer($schema->info()->path()), $place);
        }
    }

    protected function matchedProperties(string $pattern, array $props, array &$checked): \Traversable
    {
        foreach ($props as $prop) {
            if ($this->patterns->matches($pattern, (string) $prop)) {
                $checked[$prop] = true;
                yield $prop;
            }
        }
    }
}
