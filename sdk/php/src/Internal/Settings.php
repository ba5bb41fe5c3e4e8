<?php

declare(strict_types=1);

namespace NotificationCenter\Internal;

use GuzzleHttp\Psr7\Uri;

/**
 * Checks the client's options. No message contains a value, because these are secrets and messages are logged.
 *
 * @internal
 */
final class Settings
{
    public const VERSION = '0.1.0';
    /** Names the variable with the address of the service. */
    private const URL_VARIABLE = 'NOTIFICATION_CENTER_URL';
    /** The longest delay of a timer in the other SDKs; in milliseconds. */
    private const MAX_TIMER_MS = 2_147_483_647;
    /** The prefix of each key. Any other form is accepted, as only the service can judge it. */
    private const FORMS = [
        'authSecretKey' => 'nc_auth_',
        'sdkSecretKey' => 'nc_sdk_',
        'webhookSigningSecret' => 'whsec_',
    ];

    /** @throws \InvalidArgumentException */
    public static function secret(#[\SensitiveParameter] ?string $value, string $name): string
    {
        if ($value === null || $value === '') {
            throw new \InvalidArgumentException("$name must be a text that is not empty.");
        }
        foreach ([...array_values(self::FORMS), 'nc_front_'] as $form) {
            // With the two keys swapped, each event would send the authSecretKey.
            if (str_starts_with(ltrim($value), $form) && $form !== self::FORMS[$name]) {
                $wanted = self::FORMS[$name];
                throw new \InvalidArgumentException(
                    "$name is another kind of secret: one that begins with $wanted is wanted.",
                );
            }
        }
        // Such as the line feed of a file: unlike that of the sdkSecretKey, which is sent, nothing would say what is wrong.
        if ($name !== 'sdkSecretKey' && $value !== trim($value) && str_starts_with(ltrim($value), self::FORMS[$name])) {
            throw new \InvalidArgumentException("$name has white space around it.");
        }
        return $value;
    }

    /**
     * Checks the key that is sent as a header, where other characters are invalid.
     *
     * @throws \InvalidArgumentException
     */
    public static function sdkSecretKey(#[\SensitiveParameter] ?string $value): string
    {
        $key = self::secret($value, 'sdkSecretKey');
        if (preg_match('/\A[\x20-\x7e]+\z/', trim($key)) !== 1) {
            throw new \InvalidArgumentException('sdkSecretKey holds characters that no key has.');
        }
        return $key;
    }

    /**
     * Returns the address without slashes at its end; without a value that of the environment.
     *
     * @throws \InvalidArgumentException
     */
    public static function baseUrl(#[\SensitiveParameter] ?string $value): string
    {
        $variable = self::URL_VARIABLE;
        // Loaders of `.env` files write to `$_ENV`, and leave the process alone.
        $value ??= $_ENV[$variable] ?? $_SERVER[$variable] ?? getenv($variable);
        if (!is_string($value)) {
            throw new \InvalidArgumentException(
                "baseUrl is missing: the address of your service. It may be in $variable as well.",
            );
        }
        $url = self::tryUri($value);
        if ($url === null || !in_array($url->getScheme(), ['http', 'https'], true) || $url->getHost() === '') {
            throw new \InvalidArgumentException("baseUrl (or $variable) must be an http or https address.");
        }
        if ($url->getUserInfo() !== '') {
            throw new \InvalidArgumentException('baseUrl must not hold a user or a password.');
        }
        if ($url->getQuery() !== '' || $url->getFragment() !== '') {
            throw new \InvalidArgumentException('baseUrl must not hold a query or a fragment.');
        }
        return rtrim((string) $url, '/');
    }

    /** @throws \InvalidArgumentException for a value that no timer accepts */
    public static function timer(mixed $value, string $name): int
    {
        if (!is_int($value) || $value < 0 || $value > self::MAX_TIMER_MS) {
            throw new \InvalidArgumentException("$name must be a number of milliseconds.");
        }
        return $value;
    }

    /**
     * @param array<mixed> $values
     * @return list<int>
     * @throws \InvalidArgumentException
     */
    public static function delays(array $values): array
    {
        return array_map(static fn (mixed $delay): int => self::timer($delay, 'retryDelaysMs'), array_values($values));
    }

    /**
     * Checks the address of a proxy, which may hold a user and a password.
     *
     * @throws \InvalidArgumentException
     */
    public static function proxy(#[\SensitiveParameter] string $value): string
    {
        $url = self::tryUri($value);
        if ($url === null || $url->getHost() === '') {
            throw new \InvalidArgumentException('proxy must be an address, such as http://proxy.example.com:3128.');
        }
        return $value;
    }

    private static function tryUri(#[\SensitiveParameter] string $value): ?Uri
    {
        try {
            return new Uri($value);
        } catch (\InvalidArgumentException) {
            // The message of this exception holds the address.
            return null;
        }
    }
}
