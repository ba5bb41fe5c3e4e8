<?php

declare(strict_types=1);

namespace NotificationCenter\Internal;

/**
 * Computes user tokens, which a backend gives to its page so that the widget can sign in.
 *
 * @internal
 */
final class Tokens
{
    /** As seconds this is the year 5138, as milliseconds March 1973. */
    private const FIRST_MILLISECONDS = 100_000_000_000;
    /** The service reads at most twelve digits. */
    private const LAST_SECONDS = 999_999_999_999;
    private const ISO_8601 = '/\A\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?\z/';

    /** @throws \InvalidArgumentException for an invalid user id or time */
    public static function mint(
        Secret $key,
        string $userId,
        \DateTimeInterface|string|int|float|null $expiresAt,
    ): string {
        self::checkUserId($userId);
        if ($expiresAt === null) {
            return hash_hmac('sha256', $userId, $key->reveal());
        }
        $seconds = self::toSeconds($expiresAt);
        return "v2.$seconds." . hash_hmac('sha256', "v2\n$seconds\n$userId", $key->reveal());
    }

    /** A line feed separates the signed fields of an expiring token, so an id must not contain one. */
    private static function checkUserId(string $userId): void
    {
        if ($userId === '') {
            throw new \InvalidArgumentException('userId must be a text of 1 to 256 characters.');
        }
        $length = preg_match_all('/./su', $userId);
        if ($length === false) {
            throw new \InvalidArgumentException('userId is not valid UTF-8.');
        }
        if ($length > 256) {
            throw new \InvalidArgumentException('userId is longer than 256 characters.');
        }
        if (preg_match('/\p{Cc}/u', $userId) === 1) {
            throw new \InvalidArgumentException('userId holds a control character.');
        }
    }

    private static function toSeconds(\DateTimeInterface|string|int|float $expiresAt): int
    {
        $seconds = match (true) {
            $expiresAt instanceof \DateTimeInterface => $expiresAt->getTimestamp(),
            is_string($expiresAt) => self::fromText($expiresAt),
            default => self::fromNumber($expiresAt),
        };
        if ($seconds === null || $seconds < 0 || $seconds > self::LAST_SECONDS) {
            throw new \InvalidArgumentException(
                'expiresAt must be a DateTimeInterface, an ISO 8601 text, Unix seconds or milliseconds.',
            );
        }
        return $seconds;
    }

    private static function fromNumber(int|float $value): ?int
    {
        if (!is_finite((float) $value) || abs($value) > self::LAST_SECONDS * 1000) {
            return null;
        }
        return (int) floor($value >= self::FIRST_MILLISECONDS ? $value / 1000 : $value);
    }

    private static function fromText(string $value): ?int
    {
        if (preg_match(self::ISO_8601, $value) !== 1) {
            return null;
        }
        try {
            // A date without a time is the midnight of UTC, as in the other SDKs.
            return (new \DateTimeImmutable($value, new \DateTimeZone('UTC')))->getTimestamp();
        } catch (\Exception) {
            return null;
        }
    }
}
