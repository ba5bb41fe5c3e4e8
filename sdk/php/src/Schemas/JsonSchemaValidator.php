<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

/**
 * Compiles the JSON Schemas of a client's enrichers. Give the client `Opis\OpisValidator`, or one of your own, as
 * `jsonSchemaValidator`; without one the SDK's own does it.
 */
interface JsonSchemaValidator
{
    /**
     * Called once for each enricher, when it is registered.
     *
     * @param \stdClass|bool $schema parsed JSON: objects are `stdClass`; a copy of what was registered
     * @return ParamsSchema throws an `InvalidParamsException` for params that do not fit, and should return the others
     *     as they came
     * @throws \InvalidArgumentException for an invalid schema, with its fault
     */
    public function compile(\stdClass|bool $schema): ParamsSchema;
}
