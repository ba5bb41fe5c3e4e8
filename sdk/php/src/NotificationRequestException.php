<?php

declare(strict_types=1);

namespace NotificationCenter;

use NotificationCenter\Internal\Json;
use Psr\Http\Client\ClientExceptionInterface;

/**
 * Reports an answer other than 2xx, of the service or of a proxy before it, or a 2xx that is not the service's answer.
 * Contains nothing of the request. It is a `ClientExceptionInterface`, so that one `catch` covers it and the exceptions
 * of the HTTP client.
 */
final class NotificationRequestException extends \RuntimeException implements ClientExceptionInterface
{
    /**
     * @param int $status the HTTP status
     * @param string|null $errorCode the stable code, such as `event/invalid-name`; null when the answer was not the
     *     service's
     * @param string|null $reason the reason of some codes, such as `event/invalid-name`
     * @param list<mixed>|null $details the faults of a refused body: `['path' => …, 'message' => …]`
     * @param string|null $correlationId finds the call in the service's log
     * @param array<string, mixed> $answer the whole answer, including the fields above
     */
    public function __construct(
        string $message,
        public readonly int $status,
        public readonly ?string $errorCode = null,
        public readonly ?string $reason = null,
        public readonly ?array $details = null,
        public readonly ?string $correlationId = null,
        public readonly array $answer = [],
    ) {
        parent::__construct($message, $status);
    }

    /**
     * Parses the text of an answer, which may be anything: a proxy's page, an echo of the request.
     *
     * @internal
     */
    public static function fromAnswer(int $status, string $text, ?string $correlationId): self
    {
        $answer = Json::members(Json::toArrays(Json::tryRead($text))) ?? [];
        $field = static fn (string $name): ?string => is_string($answer[$name] ?? null) ? $answer[$name] : null;
        $code = $field('code');
        $details = $answer['details'] ?? null;
        $message = $field('message') === null ? '' : ': ' . $field('message');
        return new self(
            $code === null ? "The answer was HTTP $status." : "$status $code$message",
            $status,
            $code,
            $field('reason'),
            is_array($details) ? array_values($details) : null,
            $field('correlationId') ?? $correlationId,
            $answer,
        );
    }
}
