<?php

declare(strict_types=1);

namespace NotificationCenter\Opis;

use Opis\JsonSchema\Info\SchemaInfo;
use Opis\JsonSchema\Keyword;
use Opis\JsonSchema\Parsers\KeywordParser;
use Opis\JsonSchema\Parsers\Keywords\PatternKeywordParser;
use Opis\JsonSchema\Parsers\Keywords\PatternPropertiesKeywordParser;
use Opis\JsonSchema\Parsers\SchemaParser;

/**
 * Gives a draft of opis the patterns of the SDK. Opis would take those of PCRE, and a pattern that PCRE gives up on for
 * one that does not match.
 *
 * @internal
 */
trait SdkPatterns
{
    /** @return list<KeywordParser> */
    protected function getKeywordParsers(): array
    {
        return array_map(static fn (KeywordParser $parser): KeywordParser => match (true) {
            $parser instanceof PatternKeywordParser => new class ('pattern') extends PatternKeywordParser {
                public function parse(SchemaInfo $info, SchemaParser $parser, object $shared): ?Keyword
                {
                    $pattern = $info->data()->pattern ?? null;
                    return is_string($pattern) ? new SdkPattern($pattern) : null;
                }
            },
            $parser instanceof PatternPropertiesKeywordParser => new class ('patternProperties') extends
                PatternPropertiesKeywordParser {
                public function parse(SchemaInfo $info, SchemaParser $parser, object $shared): ?Keyword
                {
                    $schemas = (array) ($info->data()->patternProperties ?? []);
                    return $schemas === [] ? null : new SdkPatternProperties($schemas);
                }
            },
            default => $parser,
        }, parent::getKeywordParsers());
    }
}
