<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

use NotificationCenter\Internal\Secret;

/**
 * Verifies the signature of an enricher call (Standard Webhooks) over the verbatim payload.
 *
 * @internal
 */
final class Signature
{
    private const TOLERANCE_SECONDS = 300;
    /** No HTTP header is longer, and a longer copy in a body must cost no time. */
    private const MAX_HEADER_BYTES = 16_384;

    /** @param list<Secret> $keys all keys that the secret may mean */
    private function __construct(private readonly array $keys)
    {
    }

    /**
     * Decodes a secret into all keys that it may mean: the bytes of `whsec_<base64>`; for any other text its bytes and,
     * where it is base64, the decoded bytes.
     *
     * @throws \InvalidArgumentException, without the value, for a `whsec_` without base64
     */
    public static function fromSecret(#[\SensitiveParameter] string $secret): self
    {
        $isPrefixed = str_starts_with($secret, 'whsec_');
        $text = $isPrefixed ? substr($secret, strlen('whsec_')) : $secret;
        $keys = $isPrefixed ? [] : [new Secret($text)];
        if (preg_match('~\A[A-Za-z0-9+/_-]+={0,2}\z~', $text) === 1) {
            $bytes = base64_decode(strtr(rtrim($text, '='), '-_', '+/'), false);
            $keys[] = new Secret($bytes);
        }
        if ($keys === []) {
            throw new \InvalidArgumentException('webhookSigningSecret must be whsec_ and base64.');
        }
        return new self($keys);
    }

    /** Signs as the service does. */
    public function sign(string $id, string $timestamp, string $payload): string
    {
        return 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$payload", $this->keys[0]->reveal(), true));
    }

    /**
     * Verifies signature and age. The signature comes first, because the age of a forged timestamp means nothing.
     *
     * @throws EnricherHmacVerificationException
     */
    public function verify(SignedHeaders $headers, string $payload, int $nowMs): void
    {
        if (strlen($headers->id) + strlen($headers->timestamp) + strlen($headers->signature) > self::MAX_HEADER_BYTES) {
            throw new EnricherHmacVerificationException(HmacFailureReason::BadSignature);
        }
        if (!$this->hasMatch($headers->signature, "$headers->id.$headers->timestamp.$payload")) {
            throw new EnricherHmacVerificationException(HmacFailureReason::BadSignature);
        }
        $isNumber = preg_match('/\A[0-9]{1,12}\z/', $headers->timestamp) === 1;
        if (!$isNumber || abs(intdiv($nowMs, 1000) - (int) $headers->timestamp) > self::TOLERANCE_SECONDS) {
            throw new EnricherHmacVerificationException(HmacFailureReason::StaleTimestamp);
        }
    }

    /**
     * Returns true when one signature matches: an overlap of secrets has two. Compares all, so that the time reveals
     * nothing.
     */
    private function hasMatch(string $signature, string $signed): bool
    {
        $macs = [];
        foreach ($this->keys as $key) {
            $macs[] = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key->reveal(), true));
        }
        $matches = false;
        // Platforms join a repeated header with a comma and a space.
        foreach (preg_split('/,?\s+/', $signature) ?: [] as $one) {
            foreach ($macs as $mac) {
                $matches = hash_equals($mac, $one) || $matches;
            }
        }
        return $matches;
    }
}
