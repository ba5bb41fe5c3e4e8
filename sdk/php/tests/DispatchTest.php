<?php

declare(strict_types=1);

namespace NotificationCenter\Tests;

use NotificationCenter\Enrichers\EnricherContext;
use NotificationCenter\Enrichers\EnricherErrorCode;
use NotificationCenter\Enrichers\EnricherException;
use NotificationCenter\Enrichers\EnricherHandlerException;
use NotificationCenter\Tests\Support\Given;
use NotificationCenter\Tests\Support\ListLogger;
use PHPUnit\Framework\TestCase;

/** Tests dispatch beyond the shared vectors: what the handler receives, what is no answer, and hostile input. */
final class DispatchTest extends TestCase
{
    public function testTheHandlerReceivesParamsAndContext(): void
    {
        $seen = [];
        $call = Given::signedCall('profile', ['a' => ['b' => []]], 1_767_225_600, 'enr_7');
        $client = Given::client(['now' => static fn (): int => 1_767_225_600_000])
            ->enricher('profile', true, static function (mixed $params, EnricherContext $context) use (&$seen): array {
                $seen = [$params, $context];
                return ['empty' => new \stdClass(), 'list' => [], 'total' => 1.0];
            });
        $response = $client->dispatch(Given::json($call));
        $start = '{"ok":true,"data":{"empty":{},"list":[],"total":1.0},"name":"profile","durationMs":';
        self::assertStringStartsWith($start, $response->toJson());
        self::assertSame(Given::json($response), $response->toJson());
        [$params, $context] = $seen;
        self::assertSame(['a' => ['b' => []]], $params);
        self::assertSame(['profile', 'enr_7', ['id' => 'u_42']], [$context->name, $context->id, $context->user]);
        self::assertSame(['name' => 'order.shipped', 'properties' => []], $context->event);
        self::assertSame(1_767_225_600, $context->sentAt->getTimestamp());
    }

    public function testHeadersComeInAnyFormThatAFrameworkHas(): void
    {
        $client = Given::client()->enricher('profile', true, static fn (): int => 1);
        $call = Given::signedCall('profile', []);
        $headers = $call['headers'];
        unset($call['headers']);
        $signature = $headers['webhook-signature'];
        $forms = [
            $headers,
            (object) $headers,
            array_map(static fn (string $value): array => [$value], $headers),
            array_change_key_case($headers, \CASE_UPPER),
            [...$headers, 'webhook-timestamp' => (int) $headers['webhook-timestamp']],
            [...$headers, 'webhook-signature' => ['v1,AAAA', $signature]],
            [...$headers, 'webhook-signature' => "v1,AAAA, $signature"],
            [...$headers, 'webhook-signature' => "v1,AAAA $signature"],
        ];
        foreach ($forms as $form) {
            self::assertTrue($client->dispatch($call, $form)->ok);
        }
    }

    public function testASecretWithoutWhsecIsItsTextOrWhatThatStandsForAsBase64(): void
    {
        $call = Given::signedCall('profile', []);
        $signed = "{$call['headers']['webhook-id']}.{$call['headers']['webhook-timestamp']}.{$call['payload']}";
        $bare = base64_encode(Given::SIGNING_KEY);
        $text = 'a secret of nobody else: é';
        foreach ([[$text, $text], [$bare, $bare], [$bare, Given::SIGNING_KEY]] as [$secret, $key]) {
            $client = Given::client(['webhookSigningSecret' => $secret]);
            $client->enricher('profile', true, static fn (): int => 1);
            $call['headers']['webhook-signature'] = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
            self::assertSame(1, $client->dispatch($call)->data);
        }
    }

    public function testTheCauseOfAFailedHandlerIsKeptAtHome(): void
    {
        $cause = new \RuntimeException('password of the shop database');
        $reported = [];
        $logger = new ListLogger();
        $listener = static function (EnricherException $exception) use (&$reported): void {
            $reported[] = $exception;
        };
        $client = Given::client(['logger' => $logger, 'onEnricherError' => $listener]);
        $client->enricher('profile', true, static fn () => throw $cause);
        $response = $client->dispatch(Given::signedCall('profile', []));
        $error = ['code' => 'handler-error', 'message' => 'The enricher "profile" failed.'];
        $answer = ['ok' => false, 'error' => $error];
        self::assertSame(Given::json($answer), $response->toJson());
        self::assertInstanceOf(EnricherHandlerException::class, $response->error?->cause);
        self::assertSame($cause, $response->error->cause->getPrevious());
        self::assertSame([$response->error->cause], $reported);
        self::assertSame('error', $logger->lines[0][0]);
    }

    /** @return iterable<string, array{callable}> */
    public function noAnswers(): iterable
    {
        $circle = new \stdClass();
        $circle->self = $circle;
        yield 'a circle' => [static fn () => $circle];
        yield 'a number that is none' => [static fn () => NAN];
        yield 'bytes that are no text' => [static fn () => "\xff"];
        yield 'a resource' => [static fn () => fopen('php://memory', 'r')];
        yield 'more than 1 MiB' => [static fn () => str_repeat('x', 1024 * 1024)];
        yield 'one that throws when it is written' => [static fn () => new class implements \JsonSerializable {
            public function jsonSerialize(): never
            {
                throw new \DomainException('no');
            }
        }];
        yield 'an error of PHP' => [static fn () => intdiv(1, 0)];
        yield 'a handler for other params' => [static fn (int $params): int => $params];
        yield 'a handler that wants more' => [static fn (mixed $params, mixed $context, mixed $more): int => 1];
    }

    /** @dataProvider noAnswers */
    public function testIsNoAnswer(callable $handler): void
    {
        $client = Given::client()->enricher('profile', true, $handler);
        $response = $client->dispatch(Given::signedCall('profile', ['a' => 1]));
        self::assertSame([500, EnricherErrorCode::HandlerError], [$response->status(), $response->error?->code]);
        self::assertInstanceOf(\Throwable::class, $response->error->cause?->getPrevious());
    }

    public function testNothingToSayIsNull(): void
    {
        $response = Given::client()->enricher('silent', true, static function (): void {
        })->dispatch(Given::signedCall('silent', []));
        self::assertTrue($response->ok);
        self::assertStringContainsString('"data":null', $response->toJson());
    }

    public function testListenersCannotChangeTheAnswer(): void
    {
        $logger = new class extends \Psr\Log\AbstractLogger {
            /** @param array<mixed> $context */
            public function log($level, $message, array $context = []): void
            {
                throw new \RuntimeException('disk full');
            }
        };
        $listener = static fn () => throw new \RuntimeException('no');
        $client = Given::client(['logger' => $logger, 'onEnricherError' => $listener]);
        self::assertSame('missing-header', $client->dispatch([])->error?->reason?->value);
    }

    public function testWhateverComesIsAnswered(): void
    {
        $client = Given::client(['now' => static fn (): int => 0]);
        $client->enricher('profile', ['type' => 'object'], static fn (): string => 'never');
        $rude = new class implements \JsonSerializable {
            public function jsonSerialize(): never
            {
                throw new \RuntimeException('no');
            }
        };
        $deep = [];
        for ($level = 0; $level < 10_000; $level++) {
            $deep = ['params' => $deep];
        }
        $values = [
            null, true, 0, 1.5, NAN, '', '{', '[]', 'null', '"x"', "\xff", str_repeat('[', 100_000),
            [], [1], new \stdClass(), $rude, static fn (): int => 1, fopen('php://memory', 'r'), $deep,
            ['payload' => $rude], ['payload' => '', 'headers' => 7],
            ['payload' => [], 'headers' => ['webhook-id' => [[['x']]]]],
        ];
        $parts = ['payload', 'headers', 'name', 'params', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
        mt_srand(8);
        for ($run = 0; $run < 2000; $run++) {
            $any = static fn (): mixed => $values[mt_rand(0, count($values) - 1)];
            $body = mt_rand(0, 1) === 0 ? $any() : array_combine($parts, array_map($any, $parts));
            if (is_array($body) && mt_rand(0, 1) === 0) {
                $body['headers'] = array_combine($parts, array_map($any, $parts));
            }
            $response = $client->dispatch($body, $any(), $any());
            self::assertFalse($response->ok);
            self::assertGreaterThanOrEqual(400, $response->status());
            self::assertJson($response->toJson());
        }
    }

    public function testAChangedCallIsRefusedOrTheHandlerStillGetsWhatWasSigned(): void
    {
        $params = ['orderId' => 'A-1042', 'list' => [1, 2]];
        $client = Given::client(['now' => static fn (): int => 0]);
        $client->enricher('echo', ['type' => 'object'], static fn (array $given): array => $given);
        $good = Given::json(Given::signedCall('echo', $params, 0));
        self::assertTrue($client->dispatch($good)->ok);
        $refused = 0;
        mt_srand(8);
        for ($run = 0; $run < 1000; $run++) {
            $changed = $good;
            $changed[mt_rand(0, strlen($good) - 1)] = chr(mt_rand(32, 126));
            $response = $client->dispatch($changed);
            if ($response->ok) {
                self::assertEquals(['orderId' => 'A-1042', 'list' => [1, 2]], (array) $response->data);
            } else {
                $refused++;
            }
        }
        self::assertGreaterThan(900, $refused);
    }
}
