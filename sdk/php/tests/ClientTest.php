<?php

declare(strict_types=1);

namespace NotificationCenter\Tests;

use GuzzleHttp\Client;
use NotificationCenter\NotificationClient;
use NotificationCenter\Tests\Support\Given;
use NotificationCenter\Tests\Support\Looks;
use PHPUnit\Framework\TestCase;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/** Tests the client's options, and that no look at it shows a secret. */
final class ClientTest extends TestCase
{
    public function testShowsNoSecret(): void
    {
        $proxy = 'http://user:proxy-password@127.0.0.1:9';
        $client = Given::client(['proxy' => $proxy]);
        Looks::showNone($client, [...Given::SECRETS, 'proxy-password']);
        $this->expectException(\LogicException::class);
        serialize($client);
    }

    public function testHasNoGlobalState(): void
    {
        $first = Given::client()->enricher('one', true, static fn (): int => 1);
        $second = Given::client(['authSecretKey' => 'another'])->enricher('one', true, static fn (): int => 2);
        self::assertNotSame($first->generateHashedToken('u'), $second->generateHashedToken('u'));
        self::assertSame(1, $first->dispatch(Given::signedCall('one', []))->data);
        self::assertSame(2, $second->dispatch(Given::signedCall('one', []))->data);
    }

    /** @return iterable<string, array{string, mixed}> */
    public function refused(): iterable
    {
        $plain = ['httpClient' => new class implements ClientInterface {
            public function sendRequest(RequestInterface $request): ResponseInterface
            {
                return (new Client())->sendRequest($request);
            }
        }];
        yield 'a text among the pauses' => ['retryDelaysMs', ['retryDelaysMs' => [1, 'x']]];
        yield 'a proxy without a host' => ['proxy', ['proxy' => 'very-secret']];
        yield 'a time limit that the HTTP client cannot hold' => ['timeoutMs', [...$plain, 'timeoutMs' => 10]];
        yield 'a proxy that the HTTP client cannot use' => ['proxy', [...$plain, 'proxy' => 'http://127.0.0.1:9']];
    }

    /**
     * @dataProvider refused
     * @param array<string, mixed> $options
     */
    public function testRefuses(string $name, array $options): void
    {
        try {
            Given::client($options);
            self::fail("$name must be refused");
        } catch (\InvalidArgumentException $exception) {
            self::assertStringContainsString($name, $exception->getMessage());
            Looks::showNone($exception, [...Given::SECRETS, 'very-secret']);
        }
    }

    public function testTakesNoFractionAsUser(): void
    {
        $client = Given::client();
        self::assertSame($client->generateHashedToken('4'), $client->generateHashedToken(4));
        foreach ([4.5, 4.0, 0.9, -0.5] as $userId) {
            try {
                $client->generateHashedToken($userId);
                self::fail("took $userId");
            } catch (\InvalidArgumentException $error) {
                self::assertSame('userId must be a text or an integer.', $error->getMessage());
            }
        }
    }

    public function testSaysWhichSecretIsMissing(): void
    {
        $client = new NotificationClient(authSecretKey: Given::AUTH, sdkSecretKey: Given::SDK, baseUrl: 'http://127.0.0.1:1');
        self::assertMatchesRegularExpression('/\A[0-9a-f]{64}\z/', $client->generateHashedToken('u'));
        $response = $client->dispatch('{}');
        self::assertSame([500, 'internal'], [$response->status(), $response->error?->code->value]);
        self::assertStringContainsString('webhookSigningSecret', (string) $response->error?->message);
    }

    public function testTakesTimesOfEveryForm(): void
    {
        $client = Given::client();
        $expected = $client->generateHashedToken('u', 1_767_225_600);
        self::assertSame('1767225600', explode('.', $expected)[1]);
        $forms = [
            new \DateTimeImmutable('2026-01-01T00:00:00.999Z'),
            new \DateTime('2026-01-01T01:00:00+01:00'),
            '2026-01-01T00:00:00.5Z',
            '2026-01-01T01:00:00+01:00',
            '2026-01-01',
            1_767_225_600.7,
            1_767_225_600_123,
        ];
        foreach ($forms as $expiresAt) {
            self::assertSame($expected, $client->generateHashedToken('u', $expiresAt));
        }
    }

    /** @return iterable<array{mixed}> */
    public function noTimes(): iterable
    {
        $texts = ['tomorrow', '', '2026-01-01T00:00:00', '2026-13-01', "2026-01-01\n"];
        foreach ([NAN, INF, -1, \PHP_INT_MAX, ...$texts] as $value) {
            yield [$value];
        }
    }

    /** @dataProvider noTimes */
    public function testRefusesWhatIsNoTime(mixed $expiresAt): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('expiresAt');
        Given::client()->generateHashedToken('u', $expiresAt);
    }

    public function testRefusesAUserIdThatIsNoUtf8(): void
    {
        $this->expectException(\InvalidArgumentException::class);
        $this->expectExceptionMessage('UTF-8');
        Given::client()->generateHashedToken("a\xed\xa0\x80");
    }
}
