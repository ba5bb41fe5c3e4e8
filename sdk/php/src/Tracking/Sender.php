<?php

declare(strict_types=1);

namespace NotificationCenter\Tracking;

use NotificationCenter\Internal\ExceptionScrubber;
use NotificationCenter\Internal\Json;
use NotificationCenter\Internal\Secret;
use NotificationCenter\Internal\Settings;
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
     * @param string $retry `always`, or `transient` for only those failures that may pass
     * @param \Closure(array{attempt: int, error: \Throwable, delayMs: int|null}): mixed $onAttempt
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
        private readonly string $retry,
        private readonly \Closure $onAttempt,
    ) {
        $this->scrubber = new ExceptionScrubber($sdkSecretKey);
    }

    /**
     * Sends a body that holds the `sdkSecretKey` as well, as the tracking routes ask for.
     *
     * @param array<string, mixed> $body without `sdkSecretKey`
     * @param callable(array<string, mixed>): bool $isAnswer true for the service's answer to this route
     * @throws \Psr\Http\Client\ClientExceptionInterface the exception of the last attempt
     * @throws \InvalidArgumentException for a body that is no JSON
     */
    public function sendWithKey(
        string $path,
        array $body,
        callable $isAnswer,
        ?int $timeoutMs,
        ?string $correlationId,
    ): Sent {
        return $this->send(
            'POST',
            $path,
            $this->encode($body),
            null,
            static function (mixed $answer) use ($isAnswer): bool {
                $members = $answer instanceof \stdClass ? Json::members($answer) : null;
                return $members !== null && $isAnswer($members);
            },
            $timeoutMs,
            $correlationId,
        );
    }

    /**
     * Retries after every failure, including permanent ones, because the three SDKs agree on it, or after those that
     * may pass.
     *
     * @param string|null $text the JSON of the body
     * @param string|null $key the Idempotency-Key
     * @param callable(mixed): bool $isAnswer true for the service's answer to this route
     * @throws \Psr\Http\Client\ClientExceptionInterface the exception of the last attempt
     * @throws \InvalidArgumentException for an invalid option
     */
    public function send(
        string $method,
        string $path,
        #[\SensitiveParameter] ?string $text,
        ?string $key,
        callable $isAnswer,
        ?int $timeoutMs,
        ?string $correlationId,
    ): Sent {
        $this->checkOptions($timeoutMs, $correlationId);
        $request = $this->build($method, $path, $text, $key, $correlationId);
        for ($attempt = 0;; $attempt++) {
            try {
                return $this->attempt($request, $isAnswer, $timeoutMs ?? $this->timeoutMs, $attempt > 0);
            } catch (\Exception $exception) {
                $clean = $this->scrubber->scrub($exception);
            }
            $delayMs = $this->isRepeated($clean) ? $this->delaysMs[$attempt] ?? null : null;
            $this->log($clean, $path, $attempt + 1, $delayMs);
            $this->report($clean, $attempt + 1, $delayMs);
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

    /** @throws \InvalidArgumentException */
    private function checkOptions(?int $timeoutMs, ?string $correlationId): void
    {
        if ($timeoutMs !== null) {
            Settings::timer($timeoutMs, 'timeoutMs');
            if (!$this->transport->hasTimeLimit()) {
                throw new \InvalidArgumentException('timeoutMs needs Guzzle: your httpClient has its own.');
            }
        }
        if ($correlationId !== null && preg_match('/\A[A-Za-z0-9._-]{1,128}\z/', $correlationId) !== 1) {
            throw new \InvalidArgumentException('correlationId must be 1 to 128 of A-Z, a-z, 0-9, ".", "_" and "-".');
        }
    }

    private function isRepeated(\Throwable $exception): bool
    {
        if ($this->retry === 'always' || !$exception instanceof NotificationRequestException) {
            return true;
        }
        return $exception->status >= 500 || in_array($exception->status, [408, 425, 429], true);
    }

    /** Reports a failed attempt. The listener's own failure does not change the call. */
    private function report(\Throwable $error, int $attempt, ?int $delayMs): void
    {
        try {
            ($this->onAttempt)(['attempt' => $attempt, 'error' => $error, 'delayMs' => $delayMs]);
        } catch (\Throwable) {
            // The listener failed.
        }
    }

    private function build(
        string $method,
        string $path,
        #[\SensitiveParameter] ?string $text,
        ?string $key,
        ?string $correlationId,
    ): RequestInterface {
        $request = $this->requests->createRequest($method, $this->url . $path)
            ->withHeader('Authorization', 'Bearer ' . $this->sdkSecretKey->reveal())
            ->withHeader('User-Agent', 'notification-center-php/' . Settings::VERSION);
        if ($text !== null) {
            $request = $request
                ->withHeader('Content-Type', 'application/json')
                ->withBody($this->streams->createStream($text));
        }
        if ($key !== null) {
            $request = $request->withHeader('Idempotency-Key', $key);
        }
        return $correlationId === null ? $request : $request->withHeader('X-Correlation-Id', $correlationId);
    }

    /** @param callable(mixed): bool $isAnswer */
    private function attempt(
        #[\SensitiveParameter] RequestInterface $request,
        callable $isAnswer,
        int $timeoutMs,
        bool $isRepeat,
    ): Sent {
        $request->getBody()->rewind();
        return $this->readAnswer($this->transport->send($request, $timeoutMs, $isRepeat), $isAnswer);
    }

    /** @param callable(mixed): bool $isAnswer */
    private function readAnswer(ResponseInterface $response, callable $isAnswer): Sent
    {
        // An answer may echo the request, and exceptions are logged.
        $text = $this->sdkSecretKey->maskIn((string) $response->getBody(), 'sdkSecretKey');
        $status = $response->getStatusCode();
        $correlationId = $response->hasHeader('X-Correlation-Id') ? $response->getHeaderLine('X-Correlation-Id') : null;
        if ($status < 200 || $status > 299) {
            throw NotificationRequestException::fromAnswer($status, $text, $correlationId);
        }
        $isCsv = preg_match('~\Atext/csv\b~i', $response->getHeaderLine('Content-Type')) === 1;
        $body = $isCsv && $text !== '' ? $text : Json::tryRead($text);
        $isJson = $body !== null || trim($text) === 'null' || $text === '';
        if (!$isJson || !$isAnswer($body)) {
            throw new NotificationRequestException(
                'The answer is not the service’s.',
                $status,
                correlationId: $correlationId,
            );
        }
        return new Sent($body, $correlationId);
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
