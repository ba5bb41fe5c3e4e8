<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

/** Checks the params of an enricher call. Implement it for a validator of your own, such as Symfony's or Laravel's. */
interface ParamsSchema
{
    /**
     * @param mixed $params parsed JSON: objects are `stdClass`, so that `{}` and `[]` differ
     * @return mixed what the handler receives: the params, or what you made of them; `stdClass` becomes an array there
     * @throws InvalidParamsException
     */
    public function validate(mixed $params): mixed;
}
