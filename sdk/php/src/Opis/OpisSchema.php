<?php

declare(strict_types=1);

namespace NotificationCenter\Opis;

use NotificationCenter\Internal\Json;
use NotificationCenter\Schemas\Draft;
use NotificationCenter\Schemas\Evaluator;
use NotificationCenter\Schemas\InvalidParamsException;
use NotificationCenter\Schemas\ParamsSchema;
use NotificationCenter\Schemas\PatternLimitException;
use NotificationCenter\Schemas\References;
use Opis\JsonSchema\Errors\ErrorFormatter;
use Opis\JsonSchema\Errors\ValidationError;
use Opis\JsonSchema\Schema;
use Opis\JsonSchema\Validator;

/**
 * Checks params by a schema that opis compiled, and writes its errors as issues of the SDK.
 *
 * @internal
 */
final class OpisSchema implements ParamsSchema
{
    /** What fits none of several schemas is one issue, as with the SDK's own validator. */
    private const WHOLE = ['anyOf', 'oneOf', 'contains', 'minContains', 'maxContains'];
    /** Keywords that hold or fail by themselves, so that the SDK has words for them. */
    private const ALONE = [
        'type', 'const', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength',
        'maxLength', 'pattern', 'format', 'required', 'minProperties', 'maxProperties', 'minItems', 'maxItems',
        'uniqueItems',
    ];

    private readonly Evaluator $own;

    public function __construct(private readonly Validator $validator, private readonly Schema $schema)
    {
        $this->own = new Evaluator(new References(new \stdClass(), Draft::Draft2020), Draft::Draft2020);
    }

    public function validate(mixed $params): mixed
    {
        try {
            $error = $this->validator->schemaValidation($params, $this->schema);
        } catch (PatternLimitException $exception) {
            throw $exception->toInvalidParams();
        }
        if ($error !== null) {
            throw new InvalidParamsException($this->issues($error));
        }
        return $params;
    }

    /** @return list<array<string, string>> */
    private function issues(ValidationError $error): array
    {
        $keyword = $error->keyword();
        if ($error->subErrors() !== [] && !in_array($keyword, self::WHOLE, true)) {
            return array_merge(...array_map($this->issues(...), array_values($error->subErrors())));
        }
        $at = self::pointer($error->schema()->info()->path());
        $place = self::pointer($error->data()->fullPath());
        $issues = [];
        if (in_array($keyword, self::ALONE, true)) {
            $members = Json::members($error->schema()->info()->data()) ?? [];
            $alone = (object) [$keyword => $members[$keyword] ?? null];
            $issues = $this->own->evaluate($alone, $error->data()->value(), $at, $place)->issues;
        }
        return $issues !== [] ? $issues : [[
            'keyword' => $keyword === '' ? 'false' : $keyword,
            'keywordLocation' => $keyword === '' ? $at : "$at/$keyword",
            'instanceLocation' => $place,
            'error' => (new ErrorFormatter())->formatErrorMessage($error),
        ]];
    }

    /** @param array<int|string> $path */
    public static function pointer(array $path): string
    {
        $escape = static fn (int|string $part): string => '/' . str_replace(['~', '/'], ['~0', '~1'], (string) $part);
        return '#' . implode('', array_map($escape, $path));
    }
}
