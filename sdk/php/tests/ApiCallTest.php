<?php

declare(strict_types=1);

namespace NotificationCenter\Tests;

use NotificationCenter\Enrichers\HmacFailureReason;
use NotificationCenter\Internal\Settings;
use NotificationCenter\NotificationClient;
use NotificationCenter\NotificationRequestException;
use NotificationCenter\Tests\Support\Given;
use NotificationCenter\Tests\Support\Live;
use NotificationCenter\Tests\Support\Operation;
use PHPUnit\Framework\TestCase;

/** Tests calls of other routes, what callers learn of attempts, and the times that a handler returns. */
final class ApiCallTest extends TestCase
{
    private const EVENT = ['name' => 'order.shipped', 'userId' => 'u_42'];
    private const BUSY = ['status' => 503, 'json' => ['code' => 'c/0']];
    private const REFUSED = ['status' => 403, 'json' => ['code' => 'c/1']];
    private const TAKEN = ['status' => 202, 'json' => ['eventId' => 'evt_1']];

    /** @return list<array<string, mixed>> */
    private static function requests(string $id): array
    {
        return Live::call('GET', Live::target()->scriptsUrl . "/scripts/$id")[1]['requests'];
    }

    public function testAnotherRouteIsCalledWithOneKey(): void
    {
        ['id' => $id, 'url' => $url] = Operation::givenScript([self::BUSY, ['status' => 200, 'json' => ['data' => [7]]]]);
        $client = Given::client(['baseUrl' => $url, 'retryDelaysMs' => [1]]);
        $body = ['at' => new \DateTime('2026-12-24T18:00:00+02:00')];
        self::assertSame(['data' => [7]], $client->request('PUT', '/v1/users/u_42', $body));
        $requests = self::requests($id);
        self::assertCount(2, $requests);
        foreach ($requests as $request) {
            self::assertSame('{"at":"2026-12-24T16:00:00.000Z"}', $request['body']);
            self::assertSame('Bearer ' . Given::SDK, $request['headers']['authorization']);
            self::assertSame('notification-center-php/' . Settings::VERSION, $request['headers']['user-agent']);
            self::assertSame($requests[0]['headers']['idempotency-key'], $request['headers']['idempotency-key']);
        }
        self::assertSame(36, strlen($requests[0]['headers']['idempotency-key']));
    }

    public function testAnExportIsItsText(): void
    {
        $answer = ['status' => 200, 'text' => "messageId\nmsg_1\n"];
        ['url' => $url] = Operation::givenScript([
            [...$answer, 'headers' => ['content-type' => 'text/csv; charset=utf-8']],
            [...$answer, 'headers' => ['content-type' => 'text/html']],
        ]);
        $client = Given::client(['baseUrl' => $url, 'retryDelaysMs' => []]);
        self::assertSame($answer['text'], $client->request('GET', '/v1/deliveries/export.csv'));
        $this->expectException(NotificationRequestException::class);
        $client->request('GET', '/v1/deliveries/export.csv');
    }

    public function testAnEmptyBodyIsAnObject(): void
    {
        $bodies = [
            ['{}', new \stdClass()],
            ['{}', []],
            ['{}', new \ArrayObject()],
            ['{}', new class () implements \JsonSerializable {
                /** @return list<mixed> */
                public function jsonSerialize(): array
                {
                    return [];
                }
            }],
            ['{}', json_decode('{}')],
            ['{"attributes":{}}', ['attributes' => new \stdClass()]],
            ['{"attributes":{}}', json_decode('{"attributes":{}}')],
            ['{"mappings":[]}', ['mappings' => []]],
        ];
        $answers = array_map(static fn (): array => ['status' => 200, 'json' => []], $bodies);
        ['id' => $id, 'url' => $url] = Operation::givenScript($answers);
        $client = Given::client(['baseUrl' => $url]);
        foreach ($bodies as [, $body]) {
            $client->request('PUT', '/v1/users/u_42', $body);
        }
        self::assertSame(array_column($bodies, 0), array_column(self::requests($id), 'body'));
    }

    public function testAnotherPathIsRefused(): void
    {
        $client = Given::client();
        foreach (['', 'v1', '@evil.example/', 'https://evil.example/', '/a b', '/a#b', '/\\evil', "/a\n"] as $path) {
            try {
                $client->request('GET', $path);
                self::fail("sent: $path");
            } catch (\InvalidArgumentException $exception) {
                self::assertStringContainsString('path', $exception->getMessage());
            }
        }
        $this->expectException(\InvalidArgumentException::class);
        $client->request('TRACE', '/v1');
    }

    public function testFailedAttemptsAreReported(): void
    {
        ['url' => $url] = Operation::givenScript([self::BUSY, self::BUSY, self::REFUSED]);
        $seen = [];
        $onAttempt = static function (array $failed) use (&$seen): void {
            $seen[] = [$failed['attempt'], $failed['error']->status, $failed['delayMs']];
            throw new \LogicException('the listener');
        };
        $client = Given::client(['baseUrl' => $url, 'retryDelaysMs' => [1, 2], 'onAttempt' => $onAttempt]);
        try {
            $client->track(self::EVENT);
            self::fail('taken');
        } catch (NotificationRequestException $refusal) {
            self::assertSame(403, $refusal->status);
        }
        self::assertSame([[1, 503, 1], [2, 503, 2], [3, 403, null]], $seen);
    }

    public function testOnlyFailuresThatMayPassAreRepeated(): void
    {
        $options = ['retry' => 'transient', 'retryDelaysMs' => [1, 1]];
        ['id' => $id, 'url' => $url] = Operation::givenScript([self::REFUSED, self::TAKEN]);
        try {
            Given::client([...$options, 'baseUrl' => $url])->track(self::EVENT);
            self::fail('repeated');
        } catch (NotificationRequestException) {
            self::assertCount(1, self::requests($id));
        }
        ['url' => $url] = Operation::givenScript([self::BUSY, ['status' => 429, 'json' => []], self::TAKEN]);
        self::assertSame('evt_1', Given::client([...$options, 'baseUrl' => $url])->track(self::EVENT)->eventId);
        $this->expectException(\InvalidArgumentException::class);
        Given::client(['retry' => 'sometimes']);
    }

    public function testASignedCallIsAnswered(): void
    {
        $secret = 'whsec_' . base64_encode(Given::SIGNING_KEY);
        $client = Given::client()->enricher('stay', true, static fn (array $params, $context): array => [
            ...$params,
            'user' => $context->user,
        ]);
        $call = NotificationClient::signEnricherCall($secret, 'stay', ['a' => 1.0], ['id' => 'u_42']);
        foreach ([null, $call['headers']] as $headers) {
            $response = $client->dispatch($call['body'], $headers);
            self::assertEquals((object) ['a' => 1.0, 'user' => (object) ['id' => 'u_42']], $response->data);
        }
        $client->enricher('none', ['type' => 'object'], static fn (): int => 1);
        foreach ([null, []] as $params) {
            $none = NotificationClient::signEnricherCall($secret, 'none', $params);
            self::assertSame(1, $client->dispatch($none['body'])->data);
        }
        $forged = NotificationClient::signEnricherCall('another secret', 'stay');
        self::assertSame(HmacFailureReason::BadSignature, $client->dispatch($forged['body'])->error?->reason);
    }

    public function testTimesThatAHandlerReturnsAreWrittenAsInTrack(): void
    {
        $at = new \DateTimeImmutable('2026-12-24T18:00:00.5+02:00');
        $object = new class ($at) {
            private int $hidden = 7;

            public function __construct(public readonly \DateTimeInterface $at)
            {
            }
        };
        $serialised = new class ($at) implements \JsonSerializable {
            public function __construct(private readonly \DateTimeInterface $at)
            {
            }

            public function jsonSerialize(): mixed
            {
                return ['at' => $this->at];
            }
        };
        $text = '"2026-12-24T16:00:00.500Z"';
        $cases = [
            [$at, $text],
            [\DateTime::createFromImmutable($at), $text],
            [[$at, 'b'], "[$text,\"b\"]"],
            [['at' => $at], "{\"at\":$text}"],
            [(object) ['in' => [(object) ['at' => $at]]], "{\"in\":[{\"at\":$text}]}"],
            [$object, "{\"at\":$text}"],
            [$serialised, "{\"at\":$text}"],
            [new \ArrayObject(['at' => $at]), "{\"at\":$text}"],
            [new \DateTimeZone('UTC'), '"UTC"'],
            [HmacFailureReason::BadSignature, '"bad-signature"'],
            [[], '[]'],
            [new \stdClass(), '{}'],
        ];
        foreach ($cases as [$value, $json]) {
            $client = Given::client()->enricher('e', true, static fn (): mixed => $value);
            self::assertSame($json, json_encode($client->dispatch(Given::signedCall('e', []))->data));
        }
        $circle = new \stdClass();
        $circle->self = $circle;
        $client = Given::client()->enricher('e', true, static fn (): mixed => $circle);
        self::assertSame('handler-error', $client->dispatch(Given::signedCall('e', []))->error?->code->value);
    }

    public function testReadsTheAddressFromLoadedVariablesToo(): void
    {
        $_ENV['NOTIFICATION_CENTER_URL'] = 'https://a.example';
        try {
            $client = new NotificationClient(authSecretKey: Given::AUTH, sdkSecretKey: Given::SDK);
            self::assertInstanceOf(NotificationClient::class, $client);
        } finally {
            unset($_ENV['NOTIFICATION_CENTER_URL']);
        }
    }

    public function testTheAddressMayBeInTheEnvironment(): void
    {
        $keys = ['authSecretKey' => Given::AUTH, 'sdkSecretKey' => Given::SDK];
        putenv('NOTIFICATION_CENTER_URL=https://a.example');
        try {
            new NotificationClient(...$keys);
            putenv('NOTIFICATION_CENTER_URL=a.example');
            $this->expectExceptionMessage('NOTIFICATION_CENTER_URL');
            new NotificationClient(...$keys);
        } finally {
            putenv('NOTIFICATION_CENTER_URL');
        }
    }
}
