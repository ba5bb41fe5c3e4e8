<?php

declare(strict_types=1);

namespace NotificationCenter\Tracking;

use NotificationCenter\BatchAnswer;
use NotificationCenter\BatchResult;
use NotificationCenter\Internal\Json;
use NotificationCenter\Internal\Uuid;
use NotificationCenter\TrackAnswer;

/**
 * Sends tracked events: single ones and batches.
 *
 * @internal
 */
final class Tracker
{
    /** Fields that are JSON objects, so that an empty array of PHP stands for `{}`. */
    private const OBJECTS = ['properties', 'user', 'attributes', 'externalIds'];

    public function __construct(private readonly Sender $sender)
    {
    }

    /** @param array<string, mixed> $event */
    public function track(array $event, ?int $timeoutMs, ?string $correlationId): TrackAnswer
    {
        $body = $this->withKey($event, 'event', Uuid::create());
        $isAnswer = static fn (array $answer): bool => is_string($answer['eventId'] ?? null);
        $sent = $this->send('/v1/events/track', $body, $isAnswer, $timeoutMs, $correlationId);
        $fields = Json::members($sent->body) ?? [];
        $text = static fn (string $name): string => is_string($fields[$name] ?? null) ? $fields[$name] : '';
        return new TrackAnswer(
            $text('eventId'),
            $text('correlationId'),
            ($fields['duplicate'] ?? false) === true,
            $text('receivedAt'),
        );
    }

    /** @param array<mixed> $events */
    public function trackBatch(array $events, ?int $timeoutMs, ?string $correlationId): BatchAnswer
    {
        $callKey = Uuid::create();
        $keyed = [];
        foreach (array_values($events) as $at => $event) {
            $keyed[] = $this->withKey($event, "events[$at]", "$callKey:$at");
        }
        $isAnswer = static fn (array $answer): bool => is_array($answer['results'] ?? null);
        $sent = $this->send('/v1/events/track/batch', ['events' => $keyed], $isAnswer, $timeoutMs, $correlationId);
        $results = (Json::members($sent->body) ?? [])['results'] ?? null;
        $results = is_array($results) ? array_values($results) : [];
        return new BatchAnswer(array_map(self::toResult(...), $results), $sent->correlationId);
    }

    /**
     * @param array<string, mixed> $body
     * @param callable(array<string, mixed>): bool $isAnswer
     */
    private function send(string $path, array $body, callable $isAnswer, ?int $timeoutMs, ?string $correlationId): Sent
    {
        return $this->sender->sendWithKey($path, $body, $isAnswer, $timeoutMs, $correlationId);
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

    /** Writes empty objects as `{}`. Other values are what `Json` makes of them. */
    private static function toJson(mixed $value, string $name = ''): mixed
    {
        if (!is_array($value)) {
            return $value;
        }
        if ($value === [] && in_array($name, self::OBJECTS, true)) {
            return new \stdClass();
        }
        $written = [];
        foreach ($value as $key => $one) {
            // Only these of a user are objects for certain; names within properties are the caller's.
            $isObject = $name === 'user' && in_array($key, ['attributes', 'externalIds'], true);
            $written[$key] = self::toJson($one, $isObject ? $key : '');
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
}
