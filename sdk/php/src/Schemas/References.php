<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

use GuzzleHttp\Psr7\Uri;
use GuzzleHttp\Psr7\UriResolver;
use NotificationCenter\Internal\Json;

/**
 * Resolves the references of one schema: JSON Pointers, anchors and ids within it. Nothing is fetched.
 *
 * @internal
 */
final class References
{
    private const SCHEMAS = [
        'additionalItems', 'unevaluatedItems', 'contains', 'additionalProperties', 'unevaluatedProperties',
        'propertyNames', 'not', 'if', 'then', 'else', 'items', 'contentSchema',
    ];
    private const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
    private const MAPS = [
        'properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'dependencies',
    ];
    /** Base of a schema without an id, which only the schema itself can name. */
    private const NO_BASE = 'schema:/';

    /** @var array<string, mixed> schemas by absolute address, without a JSON Pointer */
    private array $resources = [];
    /** @var \SplObjectStorage<\stdClass, string> the absolute base of each schema */
    private \SplObjectStorage $bases;

    public function __construct(private readonly mixed $root, private readonly Draft $draft)
    {
        $this->bases = new \SplObjectStorage();
        $this->resources[self::NO_BASE] = $root;
        $this->index($root, self::NO_BASE);
    }

    /** @throws \InvalidArgumentException for a reference that leads nowhere */
    public function check(): void
    {
        foreach ($this->bases as $schema) {
            if (isset($schema->{'$ref'}) && $this->find($schema)[0] === false) {
                throw new \InvalidArgumentException('the $ref ' . Json::write($schema->{'$ref'}) . ' leads nowhere');
            }
        }
    }

    /** Returns the target of the schema's `$ref`. */
    public function target(\stdClass $schema): mixed
    {
        return $this->find($schema)[1];
    }

    /** @return array{bool, mixed} whether there is a target, and the target */
    private function find(\stdClass $schema): array
    {
        $base = $this->bases->contains($schema) ? $this->bases[$schema] : self::NO_BASE;
        $reference = $schema->{'$ref'} ?? null;
        $address = self::resolve($base, is_string($reference) ? $reference : '');
        if (array_key_exists($address, $this->resources)) {
            return [true, $this->resources[$address]];
        }
        [$resource, $fragment] = [...explode('#', $address, 2), ''];
        if (!array_key_exists($resource, $this->resources)) {
            return [false, null];
        }
        return self::follow($this->resources[$resource], rawurldecode($fragment));
    }

    private function index(mixed $schema, string $base): void
    {
        if (!$schema instanceof \stdClass || $this->bases->contains($schema)) {
            return;
        }
        $id = $schema->{$this->draft->idKeyword()} ?? null;
        $hidesId = $this->draft->refStandsAlone() && isset($schema->{'$ref'});
        if (is_string($id) && !$hidesId) {
            $address = rtrim(self::resolve($base, $id), '#');
            $this->resources[$address] = $schema;
            $base = str_contains($address, '#') ? $base : $address;
        }
        foreach (['$anchor', '$dynamicAnchor'] as $keyword) {
            $anchor = $schema->{$keyword} ?? null;
            if (is_string($anchor)) {
                $this->resources["$base#$anchor"] = $schema;
            }
        }
        $this->bases[$schema] = $base;
        foreach (get_object_vars($schema) as $keyword => $value) {
            if (in_array($keyword, self::SCHEMAS, true)) {
                $this->index($value, $base);
            }
            $isMany = in_array($keyword, self::LISTS, true) ? is_array($value) : in_array($keyword, self::MAPS, true);
            foreach ($isMany ? (array) $value : [] as $one) {
                $this->index($one, $base);
            }
        }
    }

    /** @return array{bool, mixed} */
    private static function follow(mixed $schema, string $pointer): array
    {
        if ($pointer !== '' && $pointer[0] !== '/') {
            return [false, null];
        }
        foreach (array_slice(explode('/', $pointer), 1) as $part) {
            $key = str_replace(['~1', '~0'], ['/', '~'], $part);
            if ($schema instanceof \stdClass && property_exists($schema, $key)) {
                $schema = $schema->{$key};
            } elseif (is_array($schema) && array_key_exists($key, $schema)) {
                $schema = $schema[$key];
            } else {
                return [false, null];
            }
        }
        $isSchema = is_bool($schema) || $schema instanceof \stdClass;
        return [$isSchema, $isSchema ? $schema : null];
    }

    private static function resolve(string $base, string $reference): string
    {
        if (str_starts_with($reference, '#')) {
            return $reference === '#' ? $base : $base . $reference;
        }
        try {
            return (string) UriResolver::resolve(new Uri($base), new Uri($reference));
        } catch (\InvalidArgumentException) {
            return $reference;
        }
    }
}
