<?php

declare(strict_types=1);

namespace NotificationCenter\Opis;

use NotificationCenter\Schemas\Draft;
use NotificationCenter\Schemas\JsonSchema;
use NotificationCenter\Schemas\JsonSchemaValidator;
use NotificationCenter\Schemas\ParamsSchema;
use Opis\JsonSchema\CompliantValidator;
use Opis\JsonSchema\Exceptions\SchemaException;
use Opis\JsonSchema\SchemaLoader;

/**
 * Validates by `opis/json-schema` (2.4 or newer). Faults of a schema, patterns, formats and issues are as with the
 * SDK's own validator. References stay within the schema, and what opis adds to JSON Schema is off.
 */
final class OpisValidator implements JsonSchemaValidator
{
    /** More issues help nobody. */
    private const MAX_ISSUES = 100;

    /** @throws \LogicException without `opis/json-schema` */
    public function __construct()
    {
        if (!class_exists(CompliantValidator::class)) {
            throw new \LogicException('OpisValidator needs opis/json-schema 2.4: composer require opis/json-schema');
        }
    }

    public function compile(\stdClass|bool $schema): ParamsSchema
    {
        $own = JsonSchema::compile($schema);
        $draft = Draft::of($schema);
        // A boolean has nothing to compile, and opis does not know draft 4.
        if (is_bool($schema) || $draft === Draft::Draft4) {
            return $own;
        }
        $parser = new SdkParser($draft);
        $loader = new SchemaLoader($parser);
        $validator = new CompliantValidator($loader, self::MAX_ISSUES, false);
        // As the SDK's own does, in each draft.
        $parser->setOption('keepDependenciesKeyword', true);
        try {
            return new OpisSchema($validator, $loader->loadObjectSchema($schema));
        } catch (SchemaException $exception) {
            throw new \InvalidArgumentException($exception->getMessage());
        }
    }
}
