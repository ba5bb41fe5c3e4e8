<?php

declare(strict_types=1);

namespace NotificationCenter\Internal;

use GuzzleHttp\Psr7\Utils;
use NotificationCenter\NotificationTransportException;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/**
 * Removes the sdkSecretKey from an exception of an HTTP client, because exceptions are logged.
 *
 * Such an exception holds the request with its credential, and PHP adds the arguments of all calls to its trace.
 *
 * @internal
 */
final class ExceptionScrubber
{
    private const MAX_DEPTH = 8;

    public function __construct(private readonly Secret $sdkSecretKey)
    {
    }

    /** Returns the same exception without the key; or, where a field cannot be written, one with the same message. */
    public function scrub(\Throwable $exception): \Throwable
    {
        $depth = 0;
        for ($one = $exception; $one !== null && $depth < self::MAX_DEPTH; $one = $one->getPrevious(), $depth++) {
            if (!$this->scrubFields($one)) {
                $message = $this->mask($exception->getMessage());
                return new NotificationTransportException($exception::class . ': ' . $message);
            }
        }
        return $exception;
    }

    /** Removes the arguments of all calls from the trace of an exception. */
    public static function withoutArguments(\Throwable $exception): void
    {
        $root = $exception instanceof \Error ? \Error::class : \Exception::class;
        $frames = array_map(static function (array $frame): array {
            unset($frame['args']);
            return $frame;
        }, $exception->getTrace());
        (new \ReflectionProperty($root, 'trace'))->setValue($exception, $frames);
    }

    private function scrubFields(\Throwable $exception): bool
    {
        self::withoutArguments($exception);
        for ($class = new \ReflectionClass($exception); $class !== false; $class = $class->getParentClass()) {
            foreach ($class->getProperties() as $property) {
                if ($property->isStatic() || !$property->isInitialized($exception)) {
                    continue;
                }
                $value = $property->getValue($exception);
                $clean = $this->clean($value, 0);
                if ($clean === $value) {
                    continue;
                }
                if ($property->isReadOnly()) {
                    return false;
                }
                $property->setValue($exception, $clean);
            }
        }
        return true;
    }

    private function clean(mixed $value, int $depth): mixed
    {
        if ($value instanceof RequestInterface) {
            return $value->withoutHeader('Authorization')->withBody(Utils::streamFor(''));
        }
        if ($value instanceof ResponseInterface) {
            // An answer may echo the request.
            return $value->withBody(Utils::streamFor(''));
        }
        if (is_string($value)) {
            return $this->mask($value);
        }
        if (is_array($value) && $depth < self::MAX_DEPTH) {
            return array_map(fn (mixed $one): mixed => $this->clean($one, $depth + 1), $value);
        }
        return $value;
    }

    private function mask(string $text): string
    {
        return $this->sdkSecretKey->maskIn($text, 'sdkSecretKey');
    }
}
