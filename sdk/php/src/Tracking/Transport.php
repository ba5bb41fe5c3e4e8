<?php

declare(strict_types=1);

namespace NotificationCenter\Tracking;

use GuzzleHttp\ClientInterface as GuzzleClient;
use GuzzleHttp\RequestOptions;
use NotificationCenter\Internal\Secret;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;

/**
 * Sends one request by Guzzle, with a time limit and a proxy, or by any other PSR-18 client, which has its own.
 *
 * @internal
 */
final class Transport
{
    /** @param Secret|null $proxy its address may hold a password */
    public function __construct(
        private readonly GuzzleClient|ClientInterface $client,
        private readonly ?Secret $proxy,
    ) {
    }

    /** True when the time limit of an attempt holds. */
    public function hasTimeLimit(): bool
    {
        return $this->client instanceof GuzzleClient;
    }

    /**
     * @param bool $isRepeat a repeat takes a new connection: the old one may be why the attempt before it failed
     * @throws \Psr\Http\Client\ClientExceptionInterface
     */
    public function send(
        #[\SensitiveParameter] RequestInterface $request,
        int $timeoutMs,
        bool $isRepeat,
    ): ResponseInterface {
        if (!$this->client instanceof GuzzleClient) {
            return $this->client->sendRequest($request);
        }
        // Guzzle takes 0 for "no limit".
        $seconds = max($timeoutMs, 1) / 1000;
        $options = [
            RequestOptions::TIMEOUT => $seconds,
            RequestOptions::CONNECT_TIMEOUT => $seconds,
            RequestOptions::HTTP_ERRORS => false,
            // A redirect must not receive the key.
            RequestOptions::ALLOW_REDIRECTS => false,
            RequestOptions::EXPECT => false,
            RequestOptions::SYNCHRONOUS => true,
        ];
        if ($this->proxy !== null) {
            $options[RequestOptions::PROXY] = $this->proxy->reveal();
        }
        if ($isRepeat) {
            $options['curl'] = [\CURLOPT_FRESH_CONNECT => true];
        }
        return $this->client->send($request, $options);
    }
}
