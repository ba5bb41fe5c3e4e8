<?php

declare(strict_types=1);

namespace NotificationCenter\Tests;

use NotificationCenter\NotificationClient;
use NotificationCenter\Tests\Support\Data;
use NotificationCenter\Tests\Support\Live;
use NotificationCenter\Tests\Support\Looks;
use NotificationCenter\Tests\Support\Operation;
use NotificationCenter\Tests\Support\PhpServer;
use PHPUnit\Framework\TestCase;

/** Tests the SDK with a real server, by the suite that all SDKs share (`sdk/live/suite.json`). */
final class LiveTest extends TestCase
{
    private const PATIENCE_NS = 20 * 10 ** 9;

    /** Reads the suite; `{run}` in its texts is the name of the language. */
    private static function readSuite(): \stdClass
    {
        $text = json_encode(Data::read('sdk/live/suite.json'), \JSON_THROW_ON_ERROR | \JSON_PRESERVE_ZERO_FRACTION);
        return json_decode(str_replace('{run}', 'php', $text), false, 512, \JSON_THROW_ON_ERROR);
    }

    /** @param array<string, mixed> $options */
    private static function client(array $options): NotificationClient
    {
        $secrets = Live::target()->secrets;
        $keys = ['authSecretKey' => $secrets->authSecretKey, 'sdkSecretKey' => $secrets->sdkSecretKey];
        return new NotificationClient(...[...$keys, 'baseUrl' => Live::target()->url, 'retryDelaysMs' => [1, 1], ...$options]);
    }

    /** @return array<string, array{\stdClass}> */
    public function cases(): array
    {
        return Data::titled(self::readSuite()->cases);
    }

    /** @dataProvider cases */
    public function testCase(\stdClass $case): void
    {
        $script = isset($case->answers) ? Operation::givenScript($case->answers) : null;
        $options = ['baseUrl' => $script['url'] ?? Live::target()->url];
        $own = ['sdkSecretKey' => $case->sdkSecretKey ?? null, 'retryDelaysMs' => $case->retryDelaysMs ?? null];
        $options += array_filter($own, static fn (mixed $option): bool => $option !== null);
        $client = self::client($options);
        $ids = [];
        foreach ($case->calls as $operation) {
            if (isset($case->repeatEvents)) {
                $operation->events = array_fill(0, $case->repeatEvents, $operation->events[0]);
            }
            ['result' => $result, 'exception' => $exception] = Operation::run($client, $operation);
            Looks::showNone($exception, (array) Live::target()->secrets);
            $ids[] = $result['eventId'] ?? null;
            if ($script !== null && isset($operation->expect->calls)) {
                [, $played] = Live::call('GET', Live::target()->scriptsUrl . "/scripts/{$script['id']}");
                self::assertCount($operation->expect->calls, $played['requests']);
            }
        }
        if (isset($case->same)) {
            self::assertCount($case->same, array_unique($ids));
        }
        if (isset($case->stored)) {
            self::assertCount($case->stored->count, self::storedEvents($case->stored->userId));
        }
        if (isset($case->messages)) {
            self::waitForMessages($case->messages->userId, $case->messages->count);
        }
        self::assertNotEmpty($case->calls);
    }

    /** @return list<mixed> */
    private static function storedEvents(string $userId): array
    {
        $target = Live::target();
        $url = "$target->url/v1/events?limit=100&userId=" . rawurlencode($userId);
        [, $page] = Live::call('GET', $url, null, $target->secrets->sdkSecretKey);
        return $page['data'];
    }

    private static function waitForMessages(string $userId, int $count): void
    {
        $target = Live::target();
        [, $session] = Live::signIn($userId, self::client([])->generateHashedToken($userId));
        $until = hrtime(true) + self::PATIENCE_NS;
        do {
            [, $page] = Live::call('GET', "$target->url/v1/inbox/messages", null, $session['sessionToken']);
            $isThere = count($page['data']) >= $count;
        } while (!$isThere && hrtime(true) < $until && usleep(20_000) === null);
        self::assertCount($count, $page['data']);
    }

    /** @return array<string, array{\stdClass}> */
    public function tokens(): array
    {
        return Data::titled(self::readSuite()->tokens);
    }

    /** @dataProvider tokens */
    public function testToken(\stdClass $case): void
    {
        $expiresAt = isset($case->expiresInSeconds) ? time() + $case->expiresInSeconds : null;
        $token = self::client([])->generateHashedToken($case->userId, $expiresAt);
        [$status] = Live::signIn($case->signInAs ?? $case->userId, $token);
        self::assertSame($case->status, $status);
    }

    /** @return array<string, array{\stdClass}> */
    public function enricherCases(): array
    {
        return Data::titled(self::readSuite()->enrichers->cases);
    }

    /** @dataProvider enricherCases */
    public function testEnricher(\stdClass $case): void
    {
        $target = Live::target();
        $name = "php-$case->name";
        $isForeign = $case->name === 'foreign';
        $secret = $isForeign ? $target->foreignSigningSecret : $target->secrets->webhookSigningSecret;
        $server = new PhpServer(__DIR__ . '/Support/enricher-server.php', [
            'NC_TEST_SIGNING_SECRET' => $secret,
            'NC_TEST_ENRICHER' => $case->name === 'missing' ? 'another' : $name,
        ]);
        $key = $target->secrets->sdkSecretKey;
        [$status] = Live::call('PUT', "$target->url/v1/enrichers/$name", ['url' => "$server->url/enrichers"], $key);
        self::assertLessThan(300, $status);
        [, $answer] = Live::call('POST', "$target->url/v1/enrichers/$name/test", ['params' => $case->params], $key);
        $server->stop();
        Operation::compareFields($case->expect, $answer);
        self::assertStringNotContainsString(self::readSuite()->enrichers->handlerSecret, (string) json_encode($answer));
    }

    public function testEventNames(): void
    {
        $names = Data::read('contract/vectors/event-names.json');
        $all = [...$names->accepted, ...$names->refused];
        $events = [];
        foreach ($all as $name) {
            $events[] = ['name' => str_repeat($name->text, $name->repeat), 'userId' => 'php-names'];
        }
        $results = self::client(['baseUrl' => Live::target()->url])->trackBatch($events)->results;
        self::assertCount(count($all), $results);
        foreach ($all as $at => $name) {
            self::assertSame($name->reason ?? null, $results[$at]->reason, $name->text);
            self::assertSame(isset($name->reason) ? 'event/invalid-name' : null, $results[$at]->errorCode);
            self::assertSame(!isset($name->reason), $results[$at]->isStored());
        }
    }
}
