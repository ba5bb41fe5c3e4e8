<?php

declare(strict_types=1);

namespace NotificationCenter\Schemas;

/**
 * Names the drafts of JSON Schema by what differs between them here.
 *
 * @internal
 */
enum Draft
{
    case Draft4;
    case Draft7;
    case Draft2019;
    case Draft2020;

    /** @throws \InvalidArgumentException for another dialect */
    public static function of(mixed $schema): self
    {
        $dialect = $schema instanceof \stdClass ? ($schema->{'$schema'} ?? '2020-12') : '2020-12';
        $forms = ['draft-04' => self::Draft4, 'draft-06' => self::Draft7, 'draft-07' => self::Draft7];
        $forms += ['2019-09' => self::Draft2019, '2020-12' => self::Draft2020];
        foreach ($forms as $form => $draft) {
            if (is_string($dialect) && str_contains($dialect, $form)) {
                return $draft;
            }
        }
        throw new \InvalidArgumentException('#/$schema: an unknown dialect');
    }

    /** True where `$ref` replaces all keywords beside it. */
    public function refStandsAlone(): bool
    {
        return $this === self::Draft4 || $this === self::Draft7;
    }

    public function idKeyword(): string
    {
        return $this === self::Draft4 ? 'id' : '$id';
    }
}
