<?php

declare(strict_types=1);

namespace NotificationCenter\Tests;

use NotificationCenter\Enrichers\EnricherRegistrationException;
use NotificationCenter\NotificationClient;
use NotificationCenter\Opis\OpisValidator;
use NotificationCenter\Tests\Support\Data;
use NotificationCenter\Tests\Support\Given;
use PHPUnit\Framework\TestCase;

/** Tests the adapter around `opis/json-schema` with the vectors that all SDKs share. */
final class OpisTest extends TestCase
{
    private static function client(mixed $schema): NotificationClient
    {
        $client = Given::client(['jsonSchemaValidator' => new OpisValidator()]);
        return $client->enricher('e', $schema, static fn (): string => 'reached');
    }

    /** @return array<int, array<string, string>>|null null for params that fit */
    private static function issues(mixed $schema, mixed $params): ?array
    {
        $answer = self::client($schema)->dispatch(Given::json(Given::signedCall('e', $params)));
        self::assertContains($answer->error?->code->value, [null, 'input-invalid'], $answer->toJson());
        return $answer->error?->details;
    }

    /** @return array<string, array{\stdClass}> */
    public function acceptedSchemas(): array
    {
        return Data::titled(Data::read('contract/vectors/json-schemas.json')->accepted);
    }

    /** @dataProvider acceptedSchemas */
    public function testAcceptedSchema(\stdClass $case): void
    {
        self::client($case->schema);
        foreach ($case->fits as $params) {
            self::assertNull(self::issues($case->schema, $params), Given::json($params));
        }
        foreach ($case->unfit as $params) {
            self::assertNotEmpty(self::issues($case->schema, $params), Given::json($params));
        }
    }

    /** @return array<string, array{\stdClass}> */
    public function refusedSchemas(): array
    {
        return Data::titled(Data::read('contract/vectors/json-schemas.json')->refused);
    }

    /** @dataProvider refusedSchemas */
    public function testRefusedSchema(\stdClass $case): void
    {
        $this->expectException(EnricherRegistrationException::class);
        $this->expectExceptionMessage($case->names);
        self::client($case->schema);
    }

    /** @return iterable<string, array{mixed, mixed, list<array{string, string, string, string}>}> */
    public function issuesOfParams(): iterable
    {
        $line = ['type' => 'object', 'required' => ['id', 'count'], 'properties' => ['a/b' => ['type' => 'string']]];
        yield 'places, and several issues at once' => [
            ['properties' => ['lines' => ['items' => ['$ref' => '#/$defs/line']]], '$defs' => ['line' => $line]],
            ['lines' => [['id' => 1, 'count' => 2], ['a/b' => 7]]],
            [
                ['required', '#/$defs/line/required', '#/lines/1', 'The property id is missing.'],
                ['required', '#/$defs/line/required', '#/lines/1', 'The property count is missing.'],
                ['type', '#/$defs/line/properties/a~1b/type', '#/lines/1/a~1b', 'The value is not of the type string.'],
            ],
        ];
        yield 'what fits none of several schemas' => [
            ['anyOf' => [['type' => 'string'], ['minimum' => 5]]],
            4,
            [['anyOf', '#/anyOf', '#', 'The data should match at least one schema']],
        ];
        yield 'false' => [false, 4, [['false', '#', '#', 'No value is allowed here.']]];
        yield 'a format' => [['format' => 'email'], 'x', [['format', '#/format', '#', 'The text is not of the format email.']]];
        yield 'a pattern that PCRE gives up on' => [
            ['not' => ['items' => ['pattern' => '^(a+)+$']]],
            ['a', str_repeat('a', 60) . '!'],
            [['pattern', '#/not/items', '#/1', 'The text is too costly to match with the pattern.']],
        ];
        yield 'names that PCRE gives up on' => [
            ['patternProperties' => ['^(a+)+$' => false]],
            [str_repeat('a', 60) . '!' => 1],
            [['pattern', '#', '#', 'The text is too costly to match with the pattern.']],
        ];
    }

    /**
     * @dataProvider issuesOfParams
     * @param list<array{string, string, string, string}> $wanted
     */
    public function testIssues(mixed $schema, mixed $params, array $wanted): void
    {
        $names = ['keyword', 'keywordLocation', 'instanceLocation', 'error'];
        $issues = array_map(static fn (array $one): array => array_combine($names, $one), $wanted);
        self::assertSame($issues, self::issues($schema, $params));
    }

    public function testWhatOpisAddsIsOff(): void
    {
        $schema = ['type' => 'integer', '$filters' => 'no-such', '$pragma' => ['cast' => 'integer']];
        self::assertNull(self::issues($schema, 7));
        self::assertNotEmpty(self::issues($schema, '7'));
        self::assertNotEmpty(self::issues(['maximum' => 5, 'properties' => ['a' => ['default' => 1]]], 6));
    }
}
