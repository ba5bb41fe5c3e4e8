<?php

declare(strict_types=1);

namespace NotificationCenter\Http;

use GuzzleHttp\Psr7\HttpFactory;
use NotificationCenter\Enrichers\DispatchError;
use NotificationCenter\Enrichers\DispatchResponse;
use NotificationCenter\Enrichers\EnricherErrorCode;
use NotificationCenter\NotificationClient;
use Psr\Http\Message\ResponseFactoryInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Message\StreamInterface;
use Psr\Http\Server\RequestHandlerInterface;

/** Answers the enricher calls of one path by PSR-15: Slim, Mezzio, or plain PHP. Never throws. */
final class EnricherRequestHandler implements RequestHandlerInterface
{
    /** Far more than the largest envelope, which contains event and params twice, as JSON within JSON. */
    private const MAX_BODY_BYTES = 4 * 1024 * 1024;

    /**
     * @param ResponseFactoryInterface $responses default: Guzzle's
     * @param StreamFactoryInterface $streams default: Guzzle's
     */
    public function __construct(
        private readonly NotificationClient $client,
        private readonly ResponseFactoryInterface $responses = new HttpFactory(),
        private readonly StreamFactoryInterface $streams = new HttpFactory(),
    ) {
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        if ($request->getMethod() !== 'POST') {
            return $this->refuse(405, 'Enrichers are called with POST.')->withHeader('Allow', 'POST');
        }
        $body = self::read($request->getBody());
        if ($body === null) {
            return $this->refuse(413, 'The body is too long.');
        }
        $response = $this->client->dispatch($body, $request->getHeaders(), $request->getQueryParams()['name'] ?? null);
        return $this->toResponse($response->status(), $response);
    }

    /**
     * Reads the body; null for one that is too long. Treats an interrupted body as empty: neither has a valid
     * signature.
     */
    private static function read(StreamInterface $stream): ?string
    {
        try {
            if ($stream->isSeekable()) {
                $stream->rewind();
            }
            $body = '';
            while (!$stream->eof() && strlen($body) <= self::MAX_BODY_BYTES) {
                $body .= $stream->read(65_536);
            }
            return strlen($body) > self::MAX_BODY_BYTES ? null : $body;
        } catch (\RuntimeException) {
            return '';
        }
    }

    private function refuse(int $status, string $message): ResponseInterface
    {
        $error = new DispatchError(EnricherErrorCode::Internal, $message);
        return $this->toResponse($status, DispatchResponse::failure($error));
    }

    private function toResponse(int $status, DispatchResponse $response): ResponseInterface
    {
        return $this->responses->createResponse($status)
            ->withHeader('Content-Type', 'application/json')
            ->withHeader('Cache-Control', 'no-store')
            ->withBody($this->streams->createStream($response->toJson()));
    }
}
