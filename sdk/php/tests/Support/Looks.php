<?php

declare(strict_types=1);

namespace NotificationCenter\Tests\Support;

use PHPUnit\Framework\Assert;
use Symfony\Component\VarDumper\Cloner\VarCloner;
use Symfony\Component\VarDumper\Dumper\CliDumper;

/** Looks at a value in every way that a log or a debugger does. */
final class Looks
{
    /** @param iterable<string> $secrets */
    public static function showNone(mixed $value, iterable $secrets): void
    {
        for ($one = $value; $one instanceof \Throwable; $one = $one->getPrevious()) {
            // Otherwise the trace would hold this test with all of PHPUnit, too.
            Assert::assertTrue(array_column($one->getTrace(), 'args') === [], 'a trace holds arguments');
        }
        foreach (self::of($value) as $way => $look) {
            foreach ($secrets as $secret) {
                Assert::assertStringNotContainsString($secret, $look, "$way shows a secret");
            }
        }
    }

    /** @return iterable<string, string> */
    private static function of(mixed $value): iterable
    {
        yield 'print_r' => print_r($value, true);
        yield 'var_export' => self::quietly(static fn (): string => var_export($value, true));
        yield 'var_dump' => self::dumped($value);
        yield 'a cast to array' => print_r((array) $value, true);
        yield 'json_encode' => (string) json_encode($value, \JSON_PARTIAL_OUTPUT_ON_ERROR);
        yield 'serialize' => self::quietly(static fn (): string => serialize($value));
        yield 'dump' => (string) (new CliDumper())->dump((new VarCloner())->cloneVar($value), true);
        for ($one = $value; $one instanceof \Throwable; $one = $one->getPrevious()) {
            yield 'the text of an exception' => (string) $one;
            yield 'the trace of an exception' => print_r($one->getTrace(), true);
        }
    }

    private static function dumped(mixed $value): string
    {
        ob_start();
        var_dump($value);
        return (string) ob_get_clean();
    }

    /** @param callable(): string $look one that may refuse the value */
    private static function quietly(callable $look): string
    {
        try {
            return @$look();
        } catch (\Throwable $exception) {
            return $exception->getMessage();
        }
    }
}
