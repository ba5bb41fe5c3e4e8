<?php

declare(strict_types=1);

namespace NotificationCenter\Tests\Support;

/** Reads the shared cases of `contract/vectors` and `sdk/live`, as parsed JSON with objects for objects. */
final class Data
{
    /** @param string $path from the root of the repository */
    public static function read(string $path): \stdClass
    {
        $text = file_get_contents(self::root() . "/$path");
        return json_decode((string) $text, false, 512, \JSON_THROW_ON_ERROR);
    }

    /** Returns the folder of the repository. */
    public static function root(): string
    {
        return dirname(__DIR__, 4);
    }

    /**
     * Names cases by their titles, for a data provider.
     *
     * @param iterable<\stdClass> $cases
     * @return array<string, array{\stdClass}>
     */
    public static function titled(iterable $cases): array
    {
        $named = [];
        foreach ($cases as $case) {
            $named[$case->title] = [$case];
        }
        return $named;
    }
}
