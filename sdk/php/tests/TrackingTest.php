<?php

declare(strict_types=1);

namespace NotificationCenter\Tests;

use GuzzleHttp\Client;
use GuzzleHttp\Exception\ConnectException;
use GuzzleHttp\Exception\RequestException;
use GuzzleHttp\HandlerStack;
use GuzzleHttp\Middleware;
use NotificationCenter\NotificationRequestException;
use NotificationCenter\NotificationTransportException;
use NotificationCenter\Tests\Support\Given;
use NotificationCenter\Tests\Support\ListLogger;
use NotificationCenter\Tests\Support\Live;
use NotificationCenter\Tests\Support\Looks;
use NotificationCenter\Tests\Support\Operation;
use NotificationCenter\Tests\Support\PhpServer;
use PHPUnit\Framework\TestCase;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Client\NetworkExceptionInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/** Tests tracking calls beyond the shared vectors: other HTTP clients, proxies, logs, and the types of PHP. */
final class TrackingTest extends TestCase
{
    private const EVENT = ['name' => 'order.shipped', 'userId' => 'u_42'];
    private const TAKEN = ['status' => 202, 'json' => ['eventId' => 'evt_1', 'correlationId' => 'req-1']];

    /**
     * @param list<array<string, mixed>> $answers
     * @return array{string, string} id and address of a script
     */
    private static function script(array $answers): array
    {
        ['id' => $id, 'url' => $url] = Operation::givenScript($answers);
        return [$id, $url];
    }

    /** @return list<\stdClass> bodies of the requests of a script */
    private static function bodies(string $id): array
    {
        [, $played] = Live::call('GET', Live::target()->scriptsUrl . "/scripts/$id");
        return array_map(static fn (array $request): \stdClass => json_decode($request['body']), $played['requests']);
    }

    public function testUserIdsThatAreIntegersAreSentAsTheirDigits(): void
    {
        [$id, $url] = self::script(array_fill(0, 2, self::TAKEN));
        $client = Given::client(['baseUrl' => $url]);
        $client->track(['name' => 'a', 'userId' => 9007199254740993]);
        $client->track(['name' => 'a', 'userIds' => [7, 'u']]);
        [$one, $many] = self::bodies($id);
        self::assertSame('9007199254740993', $one->userId);
        self::assertSame(['7', 'u'], $many->userIds);
        self::assertSame($client->generateHashedToken('42'), $client->generateHashedToken(42));
    }

    public function testTypesOfPhpBecomeJson(): void
    {
        [$id, $url] = self::script(array_fill(0, 2, self::TAKEN));
        $client = Given::client(['baseUrl' => $url]);
        $client->track([
            ...self::EVENT,
            'properties' => [],
            'user' => ['name' => null, 'attributes' => [], 'externalIds' => []],
            'occurredAt' => new \DateTimeImmutable('2026-01-01T01:00:00.25+01:00'),
            'topic' => null,
            'idempotencyKey' => null,
        ]);
        $paidAt = new \DateTime('2026-01-02T00:00:00Z');
        $properties = ['paidAt' => $paidAt, 'total' => 1.0, 'lines' => [], 'none' => null];
        $client->track(['name' => 'a', 'userIds' => [3 => 'u_1', 7 => 'u_2'], 'properties' => $properties]);
        [$first, $second] = self::bodies($id);
        self::assertEquals(new \stdClass(), $first->properties);
        $none = new \stdClass();
        self::assertEquals((object) ['name' => null, 'attributes' => $none, 'externalIds' => $none], $first->user);
        self::assertSame('2026-01-01T00:00:00.250Z', $first->occurredAt);
        self::assertFalse(property_exists($first, 'topic'));
        $uuid = '/\A[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\z/';
        self::assertMatchesRegularExpression($uuid, $first->idempotencyKey);
        self::assertSame(['u_1', 'u_2'], $second->userIds);
        $sent = (object) [...$properties, 'paidAt' => '2026-01-02T00:00:00.000Z'];
        self::assertEquals($sent, $second->properties);
    }

    public function testRefusesWhatCannotBeSentAndSendsNothing(): void
    {
        [$id, $url] = self::script([]);
        $client = Given::client(['baseUrl' => $url]);
        $circle = new \stdClass();
        $circle->self = $circle;
        $calls = [
            'JSON' => static fn () => $client->track([...self::EVENT, 'properties' => ['total' => NAN]]),
            'as JSON' => static fn () => $client->track([...self::EVENT, 'properties' => $circle]),
            'UTF-8' => static fn () => $client->track([...self::EVENT, 'properties' => ["\xff"]]),
            'event must be' => static fn () => $client->track(['order.shipped']),
            'events[1]' => static fn () => $client->trackBatch([self::EVENT, 7]),
            'timeoutMs' => static fn () => $client->track(self::EVENT, timeoutMs: -1),
            'correlationId' => static fn () => $client->track(self::EVENT, correlationId: 'a b'),
        ];
        foreach ($calls as $text => $call) {
            try {
                $call();
                self::fail("$text must be refused");
            } catch (\InvalidArgumentException $exception) {
                self::assertStringContainsString($text, $exception->getMessage());
                Looks::showNone($exception->getMessage() . $exception->getTraceAsString(), Given::SECRETS);
            }
        }
        self::assertSame([], self::bodies($id));
    }

    public function testTheExceptionIsGuzzlesOwnWithoutTheKey(): void
    {
        $client = Given::client(['baseUrl' => Live::target()->closedUrl, 'retryDelaysMs' => [1]]);
        try {
            $client->track(self::EVENT);
            self::fail('no server listens');
        } catch (ConnectException $exception) {
            self::assertStringContainsString('cURL error 7', $exception->getMessage());
            self::assertSame('/v1/events/track', $exception->getRequest()->getUri()->getPath());
            self::assertSame(['application/json'], $exception->getRequest()->getHeader('Content-Type'));
            self::assertSame([], $exception->getRequest()->getHeader('Authorization'));
            self::assertSame('', (string) $exception->getRequest()->getBody());
            Looks::showNone($exception, Given::SECRETS);
        }
    }

    public function testAnAnswerThatBreaksOffAndEchoesShowsNoKey(): void
    {
        [, $url] = self::script([['status' => 400, 'echo' => true, 'drop' => 'body']]);
        try {
            Given::client(['baseUrl' => $url, 'retryDelaysMs' => []])->track(self::EVENT);
            self::fail('the answer breaks off');
        } catch (RequestException $exception) {
            Looks::showNone($exception, Given::SECRETS);
        }
    }

    public function testAGuzzleClientOfTheCallerIsUsed(): void
    {
        $redirect = ['status' => 307, 'headers' => ['location' => '/elsewhere'], 'text' => ''];
        [, $url] = self::script([$redirect, ['never' => 'answers']]);
        $seen = [];
        $stack = HandlerStack::create();
        $stack->push(Middleware::mapRequest(static function (RequestInterface $request) use (&$seen): RequestInterface {
            $seen[] = $request->getUri()->getPath();
            return $request;
        }));
        $guzzle = new Client(['handler' => $stack, 'allow_redirects' => true, 'http_errors' => true]);
        $options = ['baseUrl' => $url, 'httpClient' => $guzzle, 'timeoutMs' => 400, 'retryDelaysMs' => [1]];
        $client = Given::client($options);
        try {
            $client->track(self::EVENT);
            self::fail('the second attempt has no answer');
        } catch (ConnectException $exception) {
            self::assertSame(\CURLE_OPERATION_TIMEDOUT, $exception->getHandlerContext()['errno']);
        }
        self::assertCount(2, $seen);
    }

    public function testAnotherClientOfPsr18IsUsed(): void
    {
        $refusal = ['status' => 403, 'json' => ['code' => 'c/2']];
        [$id, $url] = self::script([['status' => 503, 'json' => ['code' => 'c/0']], self::TAKEN, $refusal]);
        $psr18 = new class implements ClientInterface {
            public function sendRequest(RequestInterface $request): ResponseInterface
            {
                return (new Client())->sendRequest($request);
            }
        };
        $client = Given::client(['baseUrl' => $url, 'httpClient' => $psr18, 'retryDelaysMs' => [1]]);
        self::assertSame('evt_1', $client->track(self::EVENT)->eventId);
        [$first, $second] = self::bodies($id);
        self::assertEquals($first, $second);
        try {
            Given::client(['baseUrl' => $url, 'httpClient' => $psr18, 'retryDelaysMs' => []])->track(self::EVENT);
            self::fail('the answer is a refusal');
        } catch (NotificationRequestException $exception) {
            self::assertSame(['c/2', 403], [$exception->errorCode, $exception->getCode()]);
        }
        $this->expectExceptionMessage('timeoutMs');
        $client->track(self::EVENT, timeoutMs: 5);
    }

    public function testAnExceptionThatCannotBeCleanedIsReplaced(): void
    {
        $psr18 = new class implements ClientInterface {
            public function sendRequest(RequestInterface $request): ResponseInterface
            {
                $message = 'not reached: ' . $request->getHeaderLine('Authorization');
                throw new class ($request, $message) extends \Exception implements NetworkExceptionInterface {
                    public function __construct(private readonly RequestInterface $request, string $message)
                    {
                        parent::__construct($message);
                    }

                    public function getRequest(): RequestInterface
                    {
                        return $this->request;
                    }
                };
            }
        };
        try {
            Given::client(['httpClient' => $psr18, 'retryDelaysMs' => []])->track(self::EVENT);
            self::fail('the client throws');
        } catch (NotificationTransportException $exception) {
            self::assertStringContainsString('not reached: Bearer [sdkSecretKey]', $exception->getMessage());
            Looks::showNone($exception->getMessage(), Given::SECRETS);
        }
    }

    public function testFailedAttemptsAreLoggedAndPausesAreTheCallers(): void
    {
        $refusal = ['status' => 403, 'json' => ['code' => 'c/2']];
        [, $url] = self::script([['status' => 503, 'echo' => true], ['drop' => 'request'], $refusal]);
        $logger = new ListLogger();
        $pauses = [];
        $sleep = static function (int $delayMs) use (&$pauses): void {
            $pauses[] = $delayMs;
        };
        $client = Given::client(['baseUrl' => $url, 'logger' => $logger, 'sleep' => $sleep]);
        try {
            $client->track(self::EVENT);
            self::fail('each attempt fails');
        } catch (NotificationRequestException) {
            self::assertSame([1000, 2000], $pauses);
        }
        self::assertSame(['warning', 'warning', 'error'], array_column($logger->lines, 0));
        self::assertSame([1, 2, 3], array_map(static fn (array $line): int => $line[2]['attempt'], $logger->lines));
        Looks::showNone($logger->lines, Given::SECRETS);
    }

    public function testAProxyIsUsed(): void
    {
        $port = PhpServer::findFreePort();
        $command = [\PHP_BINARY, __DIR__ . '/Support/proxy.php', (string) $port];
        $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], \STDERR], $pipes);
        self::assertIsResource($process);
        [$id, $url] = self::script([self::TAKEN]);
        // Attempts until the proxy listens.
        $options = ['baseUrl' => $url, 'proxy' => "http://user:proxy-password@127.0.0.1:$port"];
        $client = Given::client([...$options, 'retryDelaysMs' => array_fill(0, 200, 50)]);
        self::assertSame('evt_1', $client->track(self::EVENT)->eventId);
        self::assertStringStartsWith("POST $url/v1/events/track HTTP/1.1", (string) fgets($pipes[1]));
        self::assertSame(0, proc_close($process));
        self::assertCount(1, self::bodies($id));
        // Nothing listens there any more.
        try {
            Given::client([...$options, 'retryDelaysMs' => []])->track(self::EVENT);
            self::fail('the proxy is gone');
        } catch (ConnectException $exception) {
            Looks::showNone($exception, [...Given::SECRETS, 'proxy-password']);
        }
    }

    public function testAConnectionIsUsedAgain(): void
    {
        $client = Given::client(['baseUrl' => self::script(array_fill(0, 50, self::TAKEN))[1]]);
        $client->track(self::EVENT);
        $before = count(glob('/proc/self/fd/*') ?: []);
        for ($call = 0; $call < 49; $call++) {
            $client->track(self::EVENT);
        }
        self::assertCount($before, glob('/proc/self/fd/*') ?: []);
    }
}
