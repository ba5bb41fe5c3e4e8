<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

use NotificationCenter\Internal\Json;

/**
 * Holds the content of the signed payload of an enricher call, of which only the types are checked.
 *
 * @internal
 */
final class SignedCall
{
    /** @param mixed $params parsed JSON: objects are `stdClass` */
    private function __construct(
        public readonly string $name,
        public readonly mixed $params,
        public readonly EnricherContext $context,
    ) {
    }

    /**
     * Verifies and parses. Uses nothing of the body, and reports no details to the sender, before the signature is
     * verified.
     *
     * @param mixed $body the body, parsed or not
     * @param mixed $headers the headers of the request
     * @param mixed $name the `name` of the query
     * @throws EnricherException
     */
    public static function open(Signature $signature, mixed $body, mixed $headers, mixed $name, int $nowMs): self
    {
        $envelope = Json::members(is_string($body) ? Json::tryRead($body) : $body);
        $signedHeaders = SignedHeaders::find($headers, $envelope['headers'] ?? null);
        $payload = $envelope['payload'] ?? null;
        if ($envelope === null || !is_string($payload)) {
            throw new EnricherHmacVerificationException(HmacFailureReason::BadSignature);
        }
        $signature->verify($signedHeaders, $payload, $nowMs);

        $parsed = Json::tryRead($payload);
        $signed = $parsed instanceof \stdClass ? (array) $parsed : [];
        $signedName = $signed['name'] ?? null;
        if (!is_string($signedName)) {
            throw new EnricherException('The signed payload is not the call of an enricher.');
        }
        $params = $signed['params'] ?? null;
        $hasOtherName = array_key_exists('name', $envelope) && $envelope['name'] !== $signedName;
        $hasOtherParams = array_key_exists('params', $envelope) && !Json::isSame($envelope['params'], $params);
        if ($hasOtherName || $hasOtherParams || ($name !== null && $name !== $signedName)) {
            throw new EnricherHmacVerificationException(HmacFailureReason::BadSignature);
        }
        $context = new EnricherContext(
            $signedName,
            $signedHeaders->id,
            self::toMap($signed['user'] ?? null),
            self::toMap($signed['event'] ?? null),
            new \DateTimeImmutable("@$signedHeaders->timestamp"),
        );
        return new self($signedName, $params, $context);
    }

    /** @return array<string, mixed> */
    private static function toMap(mixed $value): array
    {
        return array_map(Json::toArrays(...), $value instanceof \stdClass ? Json::members($value) ?? [] : []);
    }
}
