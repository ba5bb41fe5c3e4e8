<?php

declare(strict_types=1);

namespace NotificationCenter\Tracking;

use NotificationCenter\Internal\ExceptionScrubber;
use NotificationCenter\Internal\Json;
use NotificationCenter\Internal\Secret;
use NotificationCenter\NotificationRequestException;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\RequestInterface;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Log\LoggerInterface;

/**
 * Sends one call to the service: the same bytes up to three times, each attempt within its time limit.
 *
 * @internal
 */
final class Sender
{
    private readonly ExceptionScrubber $scrubber;

    /**
     * @param string $url without a slash at its end
     * @param list<int> $delaysMs pauses before the second attempt, the third, …
     * @param \Closure(int): void $sleep waits for so many milliseconds
     */
    public function __construct(
        private readonly string $url,
        private readonly Secret $sdkSecretKey,
        private readonly Transport $transport,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
        private readonly int $timeoutMs,
        private readonly array $delaysMs,
        private readonly \Closure $sleep,
        private readonly LoggerInterface $logger,
    ) {
        $this->scrubber = new ExceptionScrubber($sdkSecretKey);
    }

    public function hasTimeLimit(): bool
    {
        return $this->transport->hasTimeLimit();
    }

    /**
     * Retries after every failure, including permanent ones, because the three SDKs agree on it.
     *
     * @param array<string, mixed> $body without `sdkSecretKey`
     * @param callable(array<string, mixed>): bool $isAnswer true for the service's answer to this route
     * @throws \Psr\Http\Client\ClientExceptionInterface the exception of the last attempt
     * @throws \InvalidArgumentException for a body that is no JSON
     */
    public function send(string $path, array $body, callable $isAnswer, ?int $timeoutMs, ?string $correlationId): Sent
    {
        $request = $this->build($path, $this->encode($body), $correlationId);
        for ($attempt = 0;; $attempt++) {
            try {
                return $this->attempt($request, $isAnswer, $timeoutMs ?? $this->timeoutMs, $attempt > 0);
            } catch (\Exception $exception) {
                $clean = $this->scrubber->scrub($exception);
            }
            $delayMs = $this->delaysMs[$attempt] ?? null;
            $this->log($clean, $path, $attempt + 1, $delayMs);
            if ($delayMs === null) {
                throw $clean;
            }
            ($this->sleep)($delayMs);
        }
    }

    /** @param array<string, mixed> $body */
    private function encode(array $body): string
    {
        try {
            return Json::write([...$body, 'sdkSecretKey' => $this->sdkSecretKey->reveal()]);
        } catch (\JsonException $exception) {
            // The arguments in the trace of that exception hold the key.
            throw new \InvalidArgumentException("The event cannot be sent as JSON: {$exception->getMessage()}.");
        }
    }

    private function build(string $path, #[\SensitiveParameter] string $text, ?string $correlationId): RequestInterface
    {
        $request = $this->requests->createRequest('POST', $this->url . $path)
            ->withHeader('Authorization', 'Bearer ' . $this->sdkSecretKey->reveal())
            ->withHeader('Content-Type', 'application/json')
            ->withBody($this->streams->createStream($text));
        return $correlationId === null ? $request : $request->withHeader('X-Correlation-Id', $correlationId);
    }

    /** @param callable(array<string, mixed>): bool $isAnswer */
    private function attempt(
        #[\SensitiveParameter] RequestInterface $request,
        callable $isAnswer,
        int $timeoutMs,
        bool $isRepeat,
    ): Sent {
        $request->getBody()->rewind();
        return $this->readAnswer($this->transport->send($request, $timeoutMs, $isRepeat), $isAnswer);
    }

    /** @param callable(array<string, mixed>): bool $isAnswer */
    private function readAnswer(ResponseInterface $response, callable $isAnswer): Sent
    {
        // An answer may echo the request, and exceptions are logged.
        $text = $this->sdkSecretKey->maskIn((string) $response->getBody(), 'sdkSecretKey');
        $status = $response->getStatusCode();
        $correlationId = $response->hasHeader('X-Correlation-Id') ? $response->getHeaderLine('X-Correlation-Id') : null;
        if ($status < 200 || $status > 299) {
            throw NotificationRequestException::fromAnswer($status, $text, $correlationId);
        }
        $body = Json::tryRead($text);
        $members = $body instanceof \stdClass ? Json::members($body) : null;
        if ($members === null || !$isAnswer($members)) {
            throw new NotificationRequestException(
                'The answer is not the service’s.',
                $status,
                correlationId: $correlationId,
            );
        }
        return new Sent($members, $correlationId);
    }

    private function log(\Throwable $exception, string $path, int $attempt, ?int $delayMs): void
    {
        $next = $delayMs === null ? 'no attempt is left' : "the next attempt follows in $delayMs ms";
        $this->logger->log(
            $delayMs === null ? 'error' : 'warning',
            'tracking attempt failed: {error}; {next}',
            [
                'error' => $exception->getMessage(),
                'next' => $next,
                'path' => $path,
                'attempt' => $attempt,
                'exception' => $exception,
            ],
        );
    }
}
