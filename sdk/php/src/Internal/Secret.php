<?php

declare(strict_types=1);

namespace NotificationCenter\Internal;

/**
 * Holds a secret that no dump, export, cast or serialisation of the object shows.
 *
 * The value is a local variable of a suspended generator: no function of PHP and no dumper reads that, unlike a private
 * property or the bound variable of a closure.
 *
 * @internal
 */
final class Secret
{
    /** @var \Generator<int, string, void, never> */
    private readonly \Generator $holder;

    public function __construct(#[\SensitiveParameter] string $value)
    {
        $this->holder = self::hold($value);
        // The argument of a generator that has not begun would be visible in its trace.
        $this->holder->current();
    }

    public function reveal(): string
    {
        return $this->holder->current();
    }

    /** Replaces the secret, and the form without white space around it, in a text. */
    public function maskIn(string $text, string $name): string
    {
        $value = $this->reveal();
        return str_replace(array_unique([$value, trim($value)]), "[$name]", $text);
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return ['value' => '[secret]'];
    }

    /** @throws \LogicException always */
    public function __serialize(): never
    {
        throw new \LogicException('A secret cannot be serialised.');
    }

    /** @return \Generator<int, string, void, never> */
    private static function hold(#[\SensitiveParameter] string $value): \Generator
    {
        // The loop has no end, so that each call of current() returns the value.
        while (true) {
            yield $value;
        }
    }
}
