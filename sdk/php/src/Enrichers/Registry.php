<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

use NotificationCenter\Schemas\JsonSchema;
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
        $this->byName[":$name"] = [self::compile($name, $schema), \Closure::fromCallable($handler)];
    }

    /** @return array{ParamsSchema, \Closure}|null */
    public function find(string $name): ?array
    {
        return $this->byName[":$name"] ?? null;
    }

    private static function compile(string $name, mixed $schema): ParamsSchema
    {
        if ($schema instanceof ParamsSchema) {
            return $schema;
        }
        $subject = "The schema of the enricher \"$name\"";
        if (!is_array($schema) && !is_bool($schema) && !$schema instanceof \stdClass) {
            throw new EnricherRegistrationException("$subject is neither a ParamsSchema nor JSON Schema.");
        }
        try {
            return JsonSchema::compile($schema);
        } catch (\InvalidArgumentException $exception) {
            throw new EnricherRegistrationException("$subject is invalid: {$exception->getMessage()}");
        }
    }
}
