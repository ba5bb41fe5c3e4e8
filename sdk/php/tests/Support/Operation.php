<?php

declare(strict_types=1);

namespace NotificationCenter\Tests\Support;

use GuzzleHttp\Exception\ConnectException;
use NotificationCenter\BatchAnswer;
use NotificationCenter\BatchResult;
use NotificationCenter\NotificationClient;
use NotificationCenter\NotificationRequestException;
use NotificationCenter\TrackAnswer;
use PHPUnit\Framework\Assert;
use Psr\Http\Client\ClientExceptionInterface;

/**
 * Runs one operation of the shared cases (`contract/vectors/retry-scripts.json`), and compares its result or exception.
 */
final class Operation
{
    /** Two clocks differ by less. */
    private const CLOCK_MS = 2;
    private const PATHS = ['track' => '/v1/events/track', 'trackBatch' => '/v1/events/track/batch'];

    /** @return array{result: array<string, mixed>|null, exception: \Throwable|null} */
    public static function run(NotificationClient $client, \stdClass $operation): array
    {
        $expected = $operation->expect;
        $options = (array) ($operation->options ?? []);
        try {
            $answer = $operation->call === 'track'
                ? $client->track((array) $operation->event, ...$options)
                : $client->trackBatch($operation->events, ...$options);
        } catch (\Exception $exception) {
            Assert::assertTrue(isset($expected->error), "unexpected exception: $exception");
            self::compareException($exception, $expected->error);
            return ['result' => null, 'exception' => $exception];
        }
        Assert::assertFalse(isset($expected->error), 'an exception must be thrown');
        $result = self::toArray($answer);
        if (isset($expected->result)) {
            self::compareFields($expected->result, $result);
        }
        if (isset($expected->count)) {
            Assert::assertCount($expected->count, $result['results']);
        }
        return ['result' => $result, 'exception' => null];
    }

    /** @return array<string, mixed> with the names of the other SDKs */
    private static function toArray(TrackAnswer|BatchAnswer $answer): array
    {
        if ($answer instanceof TrackAnswer) {
            return get_object_vars($answer);
        }
        $results = array_map(static function (BatchResult $result): array {
            $fields = get_object_vars($result);
            $fields['code'] = $fields['errorCode'];
            unset($fields['errorCode']);
            return array_filter($fields, static fn (mixed $field): bool => $field !== null);
        }, $answer->results);
        return ['results' => $results, 'correlationId' => $answer->correlationId];
    }

    /** Compares what is expected, where `<evt>` is any id of an event; more is allowed. */
    public static function compareFields(mixed $expected, mixed $actual): void
    {
        if ($expected === '<evt>') {
            Assert::assertStringStartsWith('evt_', $actual);
        } elseif ($expected instanceof \stdClass) {
            foreach ((array) $expected as $name => $value) {
                Assert::assertArrayHasKey($name, $actual);
                self::compareFields($value, $actual[$name]);
            }
        } elseif (is_array($expected)) {
            Assert::assertCount(count($expected), $actual);
            foreach ($expected as $at => $value) {
                self::compareFields($value, $actual[$at]);
            }
        } else {
            Assert::assertSame($expected, $actual);
        }
    }

    private static function compareException(\Exception $exception, \stdClass $expected): void
    {
        Assert::assertInstanceOf(ClientExceptionInterface::class, $exception);
        if ($expected->kind !== 'refusal') {
            Assert::assertNotInstanceOf(NotificationRequestException::class, $exception);
            Assert::assertStringStartsWith('GuzzleHttp\\Exception\\', $exception::class);
            $isTimeout = $exception instanceof ConnectException
                && ($exception->getHandlerContext()['errno'] ?? 0) === \CURLE_OPERATION_TIMEDOUT;
            Assert::assertSame($expected->kind === 'timeout', $isTimeout, $exception->getMessage());
            return;
        }
        Assert::assertInstanceOf(NotificationRequestException::class, $exception);
        $fields = ['code' => $exception->errorCode, ...get_object_vars($exception)];
        foreach ((array) $expected as $name => $value) {
            match ($name) {
                'kind' => null,
                'messageHolds' => Assert::assertStringContainsString($value, $exception->getMessage()),
                'detailPaths' => Assert::assertSame($value, array_column($exception->details ?? [], 'path')),
                'code' => Assert::assertSame($value, $exception->errorCode),
                default => Assert::assertEquals(json_decode(Given::json($value), true), $fields[$name]),
            };
        }
    }

    /** @return array{id: string, url: string} */
    public static function givenScript(mixed $answers): array
    {
        [, $script] = Live::call('POST', Live::target()->scriptsUrl . '/scripts', ['answers' => $answers]);
        return $script;
    }

    /** Compares the recorded requests of a script with the expected ones. */
    public static function compareRequests(string $id, string $call, string $sdkSecretKey, \stdClass $expected): void
    {
        $answer = file_get_contents(Live::target()->scriptsUrl . "/scripts/$id");
        $requests = json_decode((string) $answer, false, 512, \JSON_THROW_ON_ERROR)->requests;
        Assert::assertCount($expected->calls, $requests);
        Assert::assertLessThanOrEqual(1, count(array_unique(array_column($requests, 'body'))));
        foreach ($requests as $request) {
            Assert::assertSame(['POST', self::PATHS[$call]], [$request->method, $request->path]);
            $headers = ['authorization' => "Bearer $sdkSecretKey", 'content-type' => 'application/json'];
            foreach ([...$headers, ...(array) ($expected->headers ?? [])] as $name => $value) {
                Assert::assertSame($value, $request->headers->{$name} ?? null);
            }
            $sent = json_decode($request->body, false, 512, \JSON_THROW_ON_ERROR);
            Assert::assertSame($sdkSecretKey, $sent->sdkSecretKey);
            unset($sent->sdkSecretKey);
            if (isset($expected->sent)) {
                self::hideKeys($sent, $expected->sent);
                Assert::assertEquals($expected->sent, $sent);
            }
        }
        foreach ($expected->waitsMs as $at => $waitMs) {
            $pauseMs = $requests[$at + 1]->startedAtMs - $requests[$at]->endedAtMs;
            Assert::assertGreaterThanOrEqual($waitMs, $pauseMs + self::CLOCK_MS);
        }
    }

    /** Replaces generated keys by `<generated>`, and checks that they differ. */
    private static function hideKeys(\stdClass $sent, \stdClass $expected): void
    {
        $keys = [];
        foreach ($expected->events ?? [$expected] as $at => $wanted) {
            $given = isset($expected->events) ? $sent->events[$at] : $sent;
            if (($wanted->idempotencyKey ?? null) === '<generated>') {
                Assert::assertMatchesRegularExpression('/\A.{1,256}\z/', $given->idempotencyKey);
                $keys[] = $given->idempotencyKey;
                $given->idempotencyKey = '<generated>';
            }
        }
        Assert::assertSame($keys, array_values(array_unique($keys)));
    }
}
