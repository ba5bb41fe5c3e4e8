<?php

declare(strict_types=1);

namespace NotificationCenter\Tests;

use GuzzleHttp\Psr7\ServerRequest;
use GuzzleHttp\Psr7\Utils;
use NotificationCenter\Http\EnricherRequestHandler;
use NotificationCenter\NotificationClient;
use NotificationCenter\Tests\Support\Given;
use NotificationCenter\Tests\Support\LaravelApp;
use PHPUnit\Framework\TestCase;

/** Tests the adapters for PSR-15 and Laravel. `LiveTest` calls the first one over HTTP. */
final class AdaptersTest extends TestCase
{
    private const SCHEMA = ['type' => 'object', 'required' => ['orderId']];

    private static function client(NotificationClient $client): NotificationClient
    {
        return $client
            ->enricher('details', self::SCHEMA, static fn (array $params): array => $params)
            ->enricher('broken', true, static fn () => throw new \RuntimeException('no'));
    }

    /** @return iterable<string, array{callable}> functions of query, body and headers: status, Cache-Control, answer */
    public function adapters(): iterable
    {
        yield 'PSR-15' => [static function (string $query, string $body, array $headers): array {
            $handler = new EnricherRequestHandler(self::client(Given::client()));
            $request = (new ServerRequest('POST', "https://shop.example.com/enrichers$query", $headers, $body));
            parse_str(ltrim($query, '?'), $parsed);
            $response = $handler->handle($request->withQueryParams($parsed));
            self::assertSame('application/json', $response->getHeaderLine('Content-Type'));
            $answer = json_decode((string) $response->getBody(), true);
            return [$response->getStatusCode(), $response->getHeaderLine('Cache-Control'), $answer];
        }];
        yield 'Laravel' => [static function (string $query, string $body, array $headers): array {
            $app = new LaravelApp(['webhook_signing_secret' => 'whsec_' . base64_encode(Given::SIGNING_KEY)]);
            self::client($app->make(NotificationClient::class));
            $response = $app->handle('POST', "/enrichers$query", $headers, $body);
            self::assertSame('application/json', $response->headers->get('Content-Type'));
            $answer = json_decode((string) $response->getContent(), true);
            return [$response->getStatusCode(), (string) $response->headers->get('Cache-Control'), $answer];
        }];
    }

    /** @dataProvider adapters */
    public function testACallIsAnsweredByItsRealHeaders(callable $post): void
    {
        $call = Given::signedCall('details', ['orderId' => 'Orléans ✓', 'none' => new \stdClass()]);
        $headers = $call['headers'];
        unset($call['headers']);
        [$status, $cacheControl, $answer] = $post('?name=details', Given::json($call), $headers);
        self::assertSame(200, $status);
        self::assertStringContainsString('no-store', $cacheControl);
        self::assertSame(['orderId' => 'Orléans ✓', 'none' => []], $answer['data']);
    }

    /** @dataProvider adapters */
    public function testTheStatusesAreThoseOfTheCodes(callable $post): void
    {
        $calls = [
            ['?name=details', Given::json(Given::signedCall('details', [])), 400, 'input-invalid'],
            ['?name=details', '{}', 401, 'hmac-invalid'],
            ['?name=details', '', 401, 'hmac-invalid'],
            ['?name=other', Given::json(Given::signedCall('details', ['orderId' => 'A'])), 401, 'hmac-invalid'],
            ['?name[]=details', Given::json(Given::signedCall('details', ['orderId' => 'A'])), 401, 'hmac-invalid'],
            ['?name=nobody', Given::json(Given::signedCall('nobody', [])), 404, 'enricher-not-found'],
            ['', Given::json(Given::signedCall('broken', [])), 500, 'handler-error'],
        ];
        foreach ($calls as [$query, $body, $status, $code]) {
            [$answered, , $answer] = $post($query, $body, []);
            self::assertSame([$status, $code], [$answered, $answer['error']['code']]);
        }
    }

    public function testWhatIsNoCallIsAnsweredByPsr15(): void
    {
        $handler = new EnricherRequestHandler(Given::client());
        $refused = $handler->handle(new ServerRequest('GET', '/enrichers'));
        self::assertSame([405, 'POST'], [$refused->getStatusCode(), $refused->getHeaderLine('Allow')]);
        $long = $handler->handle(new ServerRequest('POST', '/enrichers', [], str_repeat('x', 4 * 1024 * 1024 + 1)));
        self::assertSame(413, $long->getStatusCode());
        $body = Utils::streamFor('');
        $body->detach();
        $broken = $handler->handle((new ServerRequest('POST', '/enrichers'))->withBody($body));
        self::assertSame(401, $broken->getStatusCode());
    }
}
