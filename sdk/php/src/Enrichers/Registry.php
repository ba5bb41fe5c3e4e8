<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

use NotificationCenter\Internal\Json;
use NotificationCenter\Schemas\JsonSchema;
use NotificationCenter\Schemas\JsonSchemaValidator;
use NotificationCenter\Schemas\ParamsSchema;

/**
 * Keeps the enrichers of one client by name, each with its compiled schema.
 *
 * @internal
 */
final class Registry
{
    /** @var array<string, array{ParamsSchema, \Closure}> */
    private array $byName = [];

    /** @param JsonSchemaValidator|null $validator null for the SDK's own */
    public function __construct(private readonly ?JsonSchemaValidator $validator = null)
    {
    }

    /** @throws EnricherRegistrationException */
    public function register(string $name, mixed $schema, mixed $handler): void
    {
        if (trim($name) === '') {
            throw new EnricherRegistrationException('An enricher needs a name that is not empty.');
        }
        if ($this->find($name) !== null) {
            throw new EnricherRegistrationException("The enricher \"$name\" is registered already.");
        }
        if (!is_callable($handler)) {
            throw new EnricherRegistrationException("The enricher \"$name\" has no handler.");
        }
        // An array of PHP has no keys that look like numbers but are texts.
        $this->byName[":$name"] = [$this->compile($name, $schema), \Closure::fromCallable($handler)];
    }

    /** @return array{ParamsSchema, \Closure}|null */
    public function find(string $name): ?array
    {
        return $this->byName[":$name"] ?? null;
    }

    private function compile(string $name, mixed $schema): ParamsSchema
    {
        if ($schema instanceof ParamsSchema) {
            return $schema;
        }
        $subject = "The schema of the enricher \"$name\"";
        if (!is_array($schema) && !is_bool($schema) && !$schema instanceof \stdClass) {
            throw new EnricherRegistrationException("$subject is neither a ParamsSchema nor JSON Schema.");
        }
        try {
            $copy = self::copy($schema);
            return $this->validator?->compile($copy) ?? JsonSchema::compile($copy);
        } catch (\InvalidArgumentException $exception) {
            throw new EnricherRegistrationException("$subject is invalid: {$exception->getMessage()}");
        }
    }

    /**
     * Copies a schema as parsed JSON, so that later changes have no effect.
     *
     * @param array<mixed>|bool|\stdClass $schema an empty array stands for an empty object
     * @throws \InvalidArgumentException
     */
    private static function copy(array|bool|\stdClass $schema): \stdClass|bool
    {
        try {
            $copy = Json::read(Json::write($schema === [] ? new \stdClass() : $schema));
        } catch (\JsonException) {
            throw new \InvalidArgumentException('it is not JSON');
        }
        if (!$copy instanceof \stdClass && !is_bool($copy)) {
            throw new \InvalidArgumentException('#: a schema is an object, true or false');
        }
        return $copy;
    }
}
