<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

use NotificationCenter\Internal\Json;

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
     * Compiles a copy of the schema, so that later changes have no effect.
     *
     * @param array<mixed>|bool|\stdClass $schema an empty array stands for an empty object
     * @throws \InvalidArgumentException with the place of the fault, such as `#/properties/id/type: …`
     */
    public static function compile(array|bool|\stdClass $schema): self
    {
        try {
            $copy = Json::read(Json::write($schema === [] ? new \stdClass() : $schema));
        } catch (\JsonException) {
            throw new \InvalidArgumentException('it is not JSON');
        }
        $draft = Draft::of($copy);
        $fault = SchemaFault::find($copy);
        if ($fault !== null) {
            throw new \InvalidArgumentException($fault);
        }
        $references = new References($copy, $draft);
        $references->check();
        return new self(new Evaluator($references, $draft), $copy);
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
