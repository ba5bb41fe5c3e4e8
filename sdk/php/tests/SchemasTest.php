<?php

declare(strict_types=1);

namespace NotificationCenter\Tests;

use NotificationCenter\Enrichers\EnricherInputValidationException;
use NotificationCenter\Enrichers\EnricherRegistrationException;
use NotificationCenter\Schemas\InvalidParamsException;
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
        $schema = ['properties' => ['lines' => ['items' => ['$ref' => '#/$defs/line']]], '$defs' => ['line' => ['properties' => ['a/b' => ['type' => 'string']]]]];
        $client = Given::client()->enricher('e', $schema, static fn (): int => 1);
        $response = $client->dispatch(Given::json(Given::signedCall('e', ['lines' => [new \stdClass(), ['a/b' => 7]]])));
        self::assertSame([[
            'keyword' => 'type',
            'keywordLocation' => '#/properties/lines/items/$ref/properties/a/b/type',
            'instanceLocation' => '#/lines/1/a~1b',
            'error' => 'The value is not of the type string.',
        ]], $response->error?->details);
        self::assertInstanceOf(EnricherInputValidationException::class, $response->error?->cause);
    }

    public function testASchemaOfTheCallerMayChangeTheParams(): void
    {
        $schema = new class implements ParamsSchema {
            public function validate(mixed $params): mixed
            {
                if (!is_object($params) || !is_numeric($params->lines ?? null)) {
                    throw new InvalidParamsException(['lines must be a number', NAN, new \DateTimeImmutable('2026-01-01Z')]);
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
        $base = ['properties' => ['a' => true]];
        yield 'no other properties than those of all schemas' => [['allOf' => [$base], 'unevaluatedProperties' => false], ['a' => 1], ['b' => 1]];
        yield 'unevaluated of a branch that does not hold' => [
            ['anyOf' => [['properties' => ['a' => ['type' => 'string']]], true], 'unevaluatedProperties' => false],
            ['a' => 'x'],
            ['a' => 1],
        ];
        yield 'no other items than those of all schemas' => [['allOf' => [['prefixItems' => [true]]], 'unevaluatedItems' => false], [1], [1, 2]];
        yield 'at most so many of a kind' => [['contains' => ['type' => 'string'], 'maxContains' => 1], ['a', 1], ['a', 'b']];
        yield 'none of a kind' => [['contains' => ['type' => 'string'], 'minContains' => 0], [1], 'never' => null];
        yield 'draft 4: an open bound' => [['$schema' => 'http://json-schema.org/draft-04/schema#', 'minimum' => 1, 'exclusiveMinimum' => true], 2, 1];
        yield 'draft 7: dependencies' => [
            ['$schema' => 'http://json-schema.org/draft-07/schema#', 'dependencies' => ['a' => ['b'], 'c' => ['required' => ['d']]]],
            ['a' => 1, 'b' => 1, 'c' => 1, 'd' => 1],
            ['c' => 1],
        ];
        yield 'draft 7: a reference stands alone' => [
            ['$schema' => 'http://json-schema.org/draft-07/schema#', 'definitions' => ['a' => ['type' => 'string']], 'properties' => ['a' => ['$ref' => '#/definitions/a', 'maxLength' => 1]]],
            ['a' => 'long'],
            ['a' => 1],
        ];
        yield 'a reference by id' => [
            ['$id' => 'https://example.com/root.json', '$defs' => ['x' => ['$id' => 'x.json', 'type' => 'string']], 'items' => ['$ref' => 'x.json']],
            ['a'],
            [1],
        ];
        yield 'a reference within a part with an id' => [
            ['$defs' => ['x' => ['$id' => 'https://example.com/x', '$defs' => ['y' => ['type' => 'string']], 'items' => ['$ref' => '#/$defs/y']]], '$ref' => 'https://example.com/x'],
            ['a'],
            [1],
        ];
        yield 'an escaped pointer' => [['$defs' => ['a/b~c' => ['type' => 'string']], '$ref' => '#/$defs/a~1b~0c'], 'a', 1];
        yield 'digits of ASCII alone' => [['pattern' => '^\d+$'], '12', '١٢'];
        yield 'white space beyond ASCII' => [['pattern' => '^\S+\s\S+$'], "a\u{2003}b", 'ab'];
        yield 'the very end' => [['pattern' => 'a$'], 'ba', "a\n"];
        yield 'code points in two forms' => [['pattern' => '^(\u00e9|\ud83c\udf31|\u{1F332})$'], '🌱', 'e'];
        yield 'the sign that delimits patterns' => [['pattern' => '^~[~]$'], '~~', '~'];
        yield 'categories by their long names' => [['pattern' => '^\p{Letter}+\p{gc=Decimal_Number}\p{Script=Greek}\P{Letter}$'], 'aé1α-', '1é1α-'];
        yield 'multiples of a large number' => [['multipleOf' => 0.5], 1e308, 0.7];
        yield 'a bracket in a class' => [['pattern' => '^[[a]+$'], '[a', 'b'];
        yield 'an escaped bracket in a class' => [['pattern' => '^[\[]$'], '[', '('];
        yield 'no class of POSIX' => [['pattern' => '^[x[:alpha:]$'], ':', 'b'];
        yield 'a class of nothing' => [['pattern' => '^([]|a)$'], 'a', ''];
        yield 'a class of everything' => [['pattern' => '^[^]$'], "\n", ''];
        foreach (self::formats() as [$format, $good, $bad]) {
            yield "the format $format: $bad" => [['format' => $format], $good, $bad];
        }
    }

    /** @return list<array{string, string, string}> */
    private static function formats(): array
    {
        return [
            ['date', '2024-02-29', '2026-02-29'],
            ['time', '23:59:60Z', '24:00:00Z'],
            ['date-time', '2026-01-01T00:00:00.5+01:00', '2026-01-01 00:00'],
            ['email', 'mira@example.com', 'mira'],
            ['uuid', '01234567-89ab-cdef-0123-456789ABCDEF', '01234567'],
            ['ipv4', '127.0.0.1', '256.0.0.1'],
            ['ipv6', '::1', '127.0.0.1'],
            ['hostname', 'shop.example.com', '-shop'],
            ['uri', 'https://example.com/?a=b', '/path'],
            ['regex', '^a+$', '('],
            ['json-pointer', '/a~1b', 'a'],
        ];
    }

    /** @dataProvider keywords */
    public function testKeyword(mixed $schema, mixed $good, mixed $bad): void
    {
        self::assertTrue(self::fits($schema, $good));
        if ($bad !== null) {
            self::assertFalse(self::fits($schema, $bad));
        }
    }

    public function testAnUnknownFormatFits(): void
    {
        self::assertTrue(self::fits(['format' => 'plant'], 'x'));
    }

    public function testAReferenceThatLeadsToItselfEnds(): void
    {
        self::assertFalse(self::fits(['$ref' => '#'], 'x'));
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
        yield 'a keyword that is not supported' => [['$dynamicRef' => '#a'], '#/$dynamicRef: this keyword is not supported'];
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
        $refused = [['', true, $handler], [' ', true, $handler], ['a', true, null], ['a', true, 'no such function'], ['a', 'x', $handler]];
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
