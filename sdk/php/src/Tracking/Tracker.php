<?php

declare(strict_types=1);

namespace NotificationCenter\Tracking;

use NotificationCenter\BatchAnswer;
use NotificationCenter\BatchResult;
use NotificationCenter\Internal\Json;
use NotificationCenter\Internal\Settings;
use NotificationCenter\TrackAnswer;

/**
 * Sends tracked events: single ones and batches.
 *
 * @internal
 */
final class Tracker
{
    /** Fields that are JSON objects, so that an empty array of PHP stands for `{}`. */
    private const OBJECTS = ['properties', 'user', 'attributes'];

    public function __construct(private readonly Sender $sender)
    {
    }

    /** @param array<string, mixed> $event */
    public function track(array $event, ?int $timeoutMs, ?string $correlationId): TrackAnswer
    {
        $body = $this->withKey($event, 'event', self::newKey());
        $isAnswer = static fn (array $answer): bool => is_string($answer['eventId'] ?? null);
        $sent = $this->send('/v1/events/track', $body, $isAnswer, $timeoutMs, $correlationId);
        $text = static fn (string $name): string => is_string($sent->body[$name] ?? null) ? $sent->body[$name] : '';
        return new TrackAnswer(
            $text('eventId'),
            $text('correlationId'),
            ($sent->body['duplicate'] ?? false) === true,
            $text('receivedAt'),
        );
    }

    /** @param array<mixed> $events */
    public function trackBatch(array $events, ?int $timeoutMs, ?string $correlationId): BatchAnswer
    {
        $callKey = self::newKey();
        $keyed = [];
        foreach (array_values($events) as $at => $event) {
            $keyed[] = $this->withKey($event, "events[$at]", "$callKey:$at");
        }
        $isAnswer = static fn (array $answer): bool => is_array($answer['results'] ?? null);
        $sent = $this->send('/v1/events/track/batch', ['events' => $keyed], $isAnswer, $timeoutMs, $correlationId);
        $results = is_array($sent->body['results']) ? array_values($sent->body['results']) : [];
        return new BatchAnswer(array_map(self::toResult(...), $results), $sent->correlationId);
    }

    /**
     * @param array<string, mixed> $body
     * @param callable(array<string, mixed>): bool $isAnswer
     */
    private function send(string $path, array $body, callable $isAnswer, ?int $timeoutMs, ?string $correlationId): Sent
    {
        if ($timeoutMs !== null) {
            Settings::timer($timeoutMs, 'timeoutMs');
            if (!$this->sender->hasTimeLimit()) {
                throw new \InvalidArgumentException('timeoutMs needs Guzzle: your httpClient has its own.');
            }
        }
        if ($correlationId !== null && preg_match('/\A[A-Za-z0-9._-]{1,128}\z/', $correlationId) !== 1) {
            throw new \InvalidArgumentException('correlationId must be 1 to 128 of A-Z, a-z, 0-9, ".", "_" and "-".');
        }
        return $this->sender->send($path, $body, $isAnswer, $timeoutMs, $correlationId);
    }

    /**
     * Adds the key before the first attempt, so that a repeat after a lost answer finds its event.
     *
     * @return array<string, mixed>
     */
    private function withKey(mixed $event, string $place, string $key): array
    {
        $fields = Json::members($event);
        if ($fields === null) {
            throw new \InvalidArgumentException("$place must be an array with a name and its recipients.");
        }
        $body = [];
        foreach ($fields as $name => $value) {
            // A field that is null is one that was left out.
            if ($value !== null) {
                $body[$name] = match (true) {
                    $name === 'userId' => self::toUserId($value),
                    $name === 'userIds' && is_array($value) => array_map(self::toUserId(...), array_values($value)),
                    default => self::toJson($value, $name),
                };
            }
        }
        $body['idempotencyKey'] ??= $key;
        return $body;
    }

    /** A user id that is an integer is sent as its digits. */
    private static function toUserId(mixed $userId): mixed
    {
        return is_int($userId) ? (string) $userId : $userId;
    }

    /** Writes times as ISO 8601, and empty objects as `{}`. Other values are what json_encode() makes of them. */
    private static function toJson(mixed $value, string $name = ''): mixed
    {
        if ($value instanceof \DateTimeInterface) {
            $instant = \DateTimeImmutable::createFromInterface($value)->setTimezone(new \DateTimeZone('UTC'));
            return $instant->format('Y-m-d\TH:i:s.v\Z');
        }
        if (!is_array($value)) {
            return $value;
        }
        if ($value === [] && in_array($name, self::OBJECTS, true)) {
            return new \stdClass();
        }
        $written = [];
        foreach ($value as $key => $one) {
            // Only the attributes of a user are an object for certain; names within properties are the caller's.
            $written[$key] = self::toJson($one, $name === 'user' && $key === 'attributes' ? 'attributes' : '');
        }
        return $written;
    }

    private static function toResult(mixed $result): BatchResult
    {
        $fields = Json::members($result) ?? [];
        $text = static fn (string $name): ?string => is_string($fields[$name] ?? null) ? $fields[$name] : null;
        $duplicate = $fields['duplicate'] ?? null;
        return new BatchResult(
            $text('eventId'),
            is_bool($duplicate) ? $duplicate : null,
            $text('code'),
            $text('message'),
            $text('reason'),
        );
    }

    /** Returns a random UUID (version 4). */
    private static function newKey(): string
    {
        $bytes = random_bytes(16);
        $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
        $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
        return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
    }
}
