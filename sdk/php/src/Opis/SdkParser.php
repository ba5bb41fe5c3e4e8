<?php

declare(strict_types=1);

namespace NotificationCenter\Opis;

use NotificationCenter\Schemas\Draft;
use NotificationCenter\Schemas\Pattern;
use Opis\JsonSchema\Info\SchemaInfo;
use Opis\JsonSchema\Parsers\Drafts\Draft07;
use Opis\JsonSchema\Parsers\Drafts\Draft201909;
use Opis\JsonSchema\Parsers\Drafts\Draft202012;
use Opis\JsonSchema\Parsers\SchemaParser;
use Opis\JsonSchema\Parsers\Vocabulary;
use Opis\JsonSchema\Schema;

/**
 * Reads a schema as opis does, with the patterns of the SDK, and by the draft of its root everywhere.
 *
 * @internal
 */
final class SdkParser extends SchemaParser
{
    public function __construct(private readonly Draft $draft)
    {
        parent::__construct();
        $this->getFormatResolver()?->registerCallable('string', 'regex', Pattern::isValid(...));
        // Contents of texts are not read: they are no part of the params.
        $this->setOption('decodeContent', []);
        $this->setOption('defaultDraft', $this->draftName());
    }

    private function draftName(): string
    {
        return match ($this->draft) {
            Draft::Draft2020 => '2020-12',
            Draft::Draft2019 => '2019-09',
            // Draft 6 differs from 7 by keywords that it lacks; the SDK's own validator takes them, too.
            Draft::Draft7, Draft::Draft4 => '07',
        };
    }

    public function parseDraftVersion(string $schema): ?string
    {
        return $this->draftName();
    }

    public function parseSchema(SchemaInfo $info): Schema
    {
        $schema = $info->data();
        foreach (['prefixItems', 'items'] as $keyword) {
            if ($schema instanceof \stdClass && is_array($schema->{$keyword} ?? null)) {
                // Opis (2.5) counts one item too many as evaluated where all of these take everything.
                $open = static fn (mixed $one): mixed
                    => $one === true || $one == new \stdClass() ? (object) ['$comment' => ''] : $one;
                $schema->{$keyword} = array_map($open, $schema->{$keyword});
            }
        }
        return parent::parseSchema($info);
    }

    protected function getDrafts(?Vocabulary $extraVocabulary): array
    {
        return [
            '07' => new class ($extraVocabulary) extends Draft07 {
                use SdkPatterns;
            },
            '2019-09' => new class ($extraVocabulary) extends Draft201909 {
                use SdkPatterns;
            },
            '2020-12' => new class ($extraVocabulary) extends Draft202012 {
                use SdkPatterns;
            },
        ];
    }
}
