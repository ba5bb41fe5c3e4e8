<?php

declare(strict_types=1);

namespace NotificationCenter\Tests;

use NotificationCenter\Enrichers\EnricherInputValidationException;
use NotificationCenter\Enrichers\EnricherRegistrationException;
use NotificationCenter\Schemas\InvalidParamsException;
use NotificationCenter\Schemas\JsonSchemaValidator;
use NotificationCenter\Schemas\ParamsSchema;
use NotificationCenter\Tests\Support\Given;
use PHPUnit\Framework\TestCase;

/** Tests schemas beyond the shared vectors: places of issues, schemas of the caller's own, and further keywords. */
final class SchemasTest extends TestCase
{
    private static function fits(mixed $schema, mixed $params): bool
    {
        $client = Given::client()->enricher('e', $schema, static fn (): int => 1);
        $response = $client->dispatch(Given::json(Given::signedCall('e', $params)));
        self::assertContains($response->error?->code->value, [null, 'input-invalid']);
        return $response->ok;
    }

    public function testIssuesNamePlacesInTheParamsAndInTheSchema(): void
    {
        $schema = [
            'properties' => ['lines' => ['items' => ['$ref' => '#/$defs/line']]],
            '$defs' => ['line' => ['properties' => ['a/b' => ['type' => 'string']]]],
        ];
        $client = Given::client()->enricher('e', $schema, static fn (): int => 1);
        $call = Given::signedCall('e', ['lines' => [new \stdClass(), ['a/b' => 7]]]);
        $response = $client->dispatch(Given::json($call));
        self::assertSame([[
            'keyword' => 'type',
            'keywordLocation' => '#/properties/lines/items/$ref/properties/a/b/type',
            'instanceLocation' => '#/lines/1/a~1b',
            'error' => 'The value is not of the type string.',
        ]], $response->error?->details);
        self::assertInstanceOf(EnricherInputValidationException::class, $response->error?->cause);
    }

    public function testAnotherValidatorCompilesTheJsonSchemas(): void
    {
        $validator = new class implements JsonSchemaValidator, ParamsSchema {
            /** @var list<mixed> */
            public array $seen = [];

            public function compile(\stdClass|bool $schema): ParamsSchema
            {
                if (isset($schema->bad)) {
                    throw new \InvalidArgumentException('#/bad: not known here');
                }
                $this->seen[] = $schema;
                return $this;
            }

            public function validate(mixed $params): mixed
            {
                return isset($params->a) ? $params : throw new InvalidParamsException([['path' => '/a']]);
            }
        };
        $client = Given::client(['jsonSchemaValidator' => $validator]);
        $handler = static fn (array $params): array => $params;
        $given = (object) ['mine' => ['x']];
        $client->enricher('object', $given, $handler)->enricher('empty', [], $handler)->enricher('yes', true, $handler);
        $given->mine = 'changed later';
        self::assertEquals([(object) ['mine' => ['x']], new \stdClass(), true], $validator->seen);
        self::assertEquals((object) ['a' => 1], $client->dispatch(Given::signedCall('object', ['a' => 1]))->data);
        $error = $client->dispatch(Given::signedCall('empty', ['b' => 1]))->error;
        self::assertSame(['input-invalid', [['path' => '/a']]], [$error?->code->value, $error?->details]);
        foreach ([['bad' => 1], ['a', 'list']] as $index => $bad) {
            try {
                $client->enricher("bad $index", $bad, $handler);
                self::fail('It was registered.');
            } catch (EnricherRegistrationException $exception) {
                $fault = $index === 0 ? '#/bad: not known here' : '#: a schema is an object';
                self::assertStringContainsString($fault, $exception->getMessage());
            }
        }
        self::assertCount(3, $validator->seen);
    }

    public function testAParamsSchemaGoesPastTheValidator(): void
    {
        $validator = $this->createMock(JsonSchemaValidator::class);
        $validator->expects(self::never())->method('compile');
        $schema = $this->createMock(ParamsSchema::class);
        $schema->method('validate')->willReturn(7);
        $client = Given::client(['jsonSchemaValidator' => $validator]);
        $client->enricher('own', $schema, static fn (int $params): int => $params);
        self::assertSame(7, $client->dispatch(Given::signedCall('own', []))->data);
    }

    public function testASchemaOfTheCallerMayChangeTheParams(): void
    {
        $schema = new class implements ParamsSchema {
            public function validate(mixed $params): mixed
            {
                if (!is_object($params) || !is_numeric($params->lines ?? null)) {
                    throw new InvalidParamsException(['lines must be a number', NAN]);
                }
                return ['lines' => (int) $params->lines];
            }
        };
        $client = Given::client()->enricher('e', $schema, static fn (array $params): int => $params['lines'] + 1);
        self::assertSame(4, $client->dispatch(Given::signedCall('e', ['lines' => '3']))->data);
        $details = $client->dispatch(Given::signedCall('e', ['lines' => 'x']))->error?->details;
        self::assertSame('lines must be a number', $details[0] ?? null);
        self::assertSame(['message' => 'An issue that cannot be read.'], $details[1] ?? null);
    }

    public function testALaterChangeOfTheSchemaChangesNothing(): void
    {
        $schema = (object) ['required' => ['a']];
        $client = Given::client()->enricher('e', $schema, static fn (): int => 1);
        $schema->required[] = 'b';
        self::assertTrue($client->dispatch(Given::signedCall('e', ['a' => 1]))->ok);
    }

    public function testEmptyArraysStandForObjectsInASchema(): void
    {
        self::assertTrue(self::fits([], 7));
        self::assertTrue(self::fits(['properties' => [], 'items' => []], [1]));
    }

    /** @return iterable<string, array{array<string, mixed>, mixed, mixed}> */
    public function keywords(): iterable
    {
        $text = ['type' => 'string'];
        yield 'unevaluated of a branch that does not hold' => [
            ['anyOf' => [['properties' => ['a' => $text]], true], 'unevaluatedProperties' => false],
            ['a' => 'x'],
            ['a' => 1],
        ];
        yield 'a reference within a part with an id' => [
            [
                '$defs' => [
                    'x' => [
                        '$id' => 'https://example.com/x',
                        '$defs' => ['y' => $text],
                        'items' => ['$ref' => '#/$defs/y'],
                    ],
                ],
                '$ref' => 'https://example.com/x',
            ],
            ['a'],
            [1],
        ];
        yield 'multiples of a large number' => [['multipleOf' => 0.5], 1e308, 0.7];
        yield 'the sign that delimits patterns' => [['pattern' => '^~[~]$'], '~~', '~'];
        yield 'an escaped bracket in a class' => [['pattern' => '^[\[]$'], '[', '('];
        yield 'a class of nothing' => [['pattern' => '^([]|a)$'], 'a', ''];
        yield 'a class of everything' => [['pattern' => '^[^]$'], "\n", ''];
        yield 'what is no letter' => [['pattern' => '^\P{Letter}$'], '1', 'a'];
    }

    /** @dataProvider keywords */
    public function testKeyword(mixed $schema, mixed $good, mixed $bad): void
    {
        self::assertTrue(self::fits($schema, $good));
        self::assertFalse(self::fits($schema, $bad));
    }

    public function testAReferenceThatLeadsToItselfEnds(): void
    {
        self::assertFalse(self::fits(['$ref' => '#'], 'x'));
    }

    /** @return iterable<string, array{array<string, mixed>, mixed, string, string}> */
    public function costlyPatterns(): iterable
    {
        $costly = '^(a+)+$';
        $text = str_repeat('a', 60) . '!';
        yield 'a pattern' => [['pattern' => $costly], $text, '#', '#'];
        yield 'a pattern that must not match' => [['not' => ['pattern' => $costly]], $text, '#/not', '#'];
        yield 'names' => [['patternProperties' => [$costly => false]], [$text => 1], '#', '#'];
        yield 'a text within' => [['items' => ['pattern' => $costly]], ['a', $text], '#/items', '#/1'];
    }

    /** @dataProvider costlyPatterns */
    public function testPatternThatIsTooCostlyRefusesTheParams(
        mixed $schema,
        mixed $params,
        string $at,
        string $place,
    ): void {
        $client = Given::client()->enricher('e', $schema, static fn (): int => 1);
        $response = $client->dispatch(Given::json(Given::signedCall('e', $params)));
        self::assertSame([[
            'keyword' => 'pattern',
            'keywordLocation' => $at,
            'instanceLocation' => $place,
            'error' => 'The text is too costly to match with the pattern.',
        ]], $response->error?->details);
    }

    /** @return iterable<string, array{mixed, string}> */
    public function refused(): iterable
    {
        $circle = new \stdClass();
        $circle->not = $circle;
        yield 'nothing' => [null, 'neither'];
        yield 'a text' => ['string', 'neither'];
        yield 'a time' => [new \DateTimeImmutable(), 'neither'];
        yield 'a list' => [[['type' => 'string']], '#: a schema is an object'];
        yield 'a circle' => [$circle, 'not JSON'];
        yield 'an escape that is none' => [['pattern' => '\A'], '#/pattern'];
        yield 'a keyword that is not supported' => [['$dynamicRef' => '#a'], '#/$dynamicRef: this keyword is not'];
        yield 'names that are no list' => [['dependentRequired' => ['a' => 'b']], '#/dependentRequired/a'];
        yield 'a reference to what is no schema' => [['$ref' => '#/required', 'required' => ['a']], 'leads nowhere'];
    }

    /** @dataProvider refused */
    public function testRefusesSchema(mixed $schema, string $text): void
    {
        $this->expectException(EnricherRegistrationException::class);
        $this->expectExceptionMessage($text);
        Given::client()->enricher('details', $schema, static fn (): int => 1);
    }

    public function testRefusesNamesAndHandlers(): void
    {
        $client = Given::client();
        $handler = static fn (): int => 1;
        $refused = [['', true, $handler], [' ', true, $handler]];
        $refused = [...$refused, ['a', true, null], ['a', true, 'no such function'], ['a', 'x', $handler]];
        foreach ($refused as $registration) {
            try {
                $client->enricher(...$registration);
                self::fail('the registration must be refused');
            } catch (EnricherRegistrationException) {
                // A refused name stays free.
            }
        }
        $client->enricher('a', true, $handler)->enricher('A', true, $handler)->enricher('1', true, $handler);
        self::assertTrue($client->dispatch(Given::signedCall('1', []))->ok);
        $this->expectExceptionMessage('registered already');
        $client->enricher('a', true, $handler);
    }
}
