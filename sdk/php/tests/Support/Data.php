<?php

declare(strict_types=1);

namespace NotificationCenter\Tests\Support;

/** Reads the shared cases of `contract/vectors` and `sdk/live`, as parsed JSON with objects for objects. */
final class Data
{
    public static function read(string $path): \stdClass
    {
        $folder = str_starts_with($path, 'live/') ? 'sdk' : 'contract';
        $text = file_get_contents(self::root() . "/$folder/$path");
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
