<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

/**
 * Validates params by JSON Schema: draft 2020-12, or 2019-09, 7, 6 and 4 by `$schema`. References stay within the
 * schema.
 *
 * @internal
 */
final class JsonSchema implements ParamsSchema
{
    private function __construct(
        private readonly Evaluator $evaluator,
        private readonly mixed $root,
    ) {
    }

    /**
     * Compiles a schema that nobody else changes.
     *
     * @throws \InvalidArgumentException with the place of the fault, such as `#/properties/id/type: …`
     */
    public static function compile(\stdClass|bool $schema): self
    {
        $draft = Draft::of($schema);
        $fault = SchemaFault::find($schema);
        if ($fault !== null) {
            throw new \InvalidArgumentException($fault);
        }
        $references = new References($schema, $draft);
        $references->check();
        return new self(new Evaluator($references, $draft), $schema);
    }

    public function validate(mixed $params): mixed
    {
        try {
            $outcome = $this->evaluator->evaluate($this->root, $params, '#', '#');
        } catch (PatternLimitException $exception) {
            throw $exception->toInvalidParams();
        }
        if ($outcome->issues !== []) {
            throw new InvalidParamsException($outcome->issues);
        }
        return $params;
    }
}
