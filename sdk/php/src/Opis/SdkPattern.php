<?php

declare(strict_types=1);

namespace NotificationCenter\Opis;

use NotificationCenter\Schemas\Pattern;
use NotificationCenter\Schemas\PatternLimitException;
use Opis\JsonSchema\Errors\ValidationError;
use Opis\JsonSchema\Keywords\PatternKeyword;
use Opis\JsonSchema\Schema;
use Opis\JsonSchema\ValidationContext;

/**
 * Matches a text with a pattern of ECMAScript.
 *
 * @internal
 */
final class SdkPattern extends PatternKeyword
{
    private readonly Pattern $patterns;

    public function __construct(private readonly string $expression)
    {
        parent::__construct($expression);
        $this->patterns = new Pattern();
    }

    /** @throws PatternLimitException with both places */
    public function validate(ValidationContext $context, Schema $schema): ?ValidationError
    {
        try {
            return $this->patterns->matches($this->expression, $context->currentData())
                ? null
                : $this->error($schema, $context, 'pattern', 'The text does not match the pattern.');
        } catch (PatternLimitException $exception) {
            $place = OpisSchema::pointer($context->fullDataPath());
            throw $exception->within(OpisSchema::pointer($schema->info()->path()), $place);
        }
    }
}
