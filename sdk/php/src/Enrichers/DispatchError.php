<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

use NotificationCenter\Internal\Json;

/** Describes a failed dispatch to the service. `cause` stays in this process: it is not in the JSON. */
final class DispatchError implements \JsonSerializable
{
    /**
     * @param HmacFailureReason|null $reason only for `hmac-invalid`
     * @param list<mixed>|null $details only for `input-invalid`: the validator's issues as JSON
     * @param EnricherException|null $cause the exception itself, for `instanceof` and your log; null when an adapter
     *     refused the request
     */
    public function __construct(
        public readonly EnricherErrorCode $code,
        public readonly string $message,
        public readonly ?HmacFailureReason $reason = null,
        public readonly ?array $details = null,
        public readonly ?EnricherException $cause = null,
    ) {
    }

    /** @internal */
    public static function of(EnricherException $exception): self
    {
        return new self(
            $exception->errorCode,
            $exception->getMessage(),
            $exception instanceof EnricherHmacVerificationException ? $exception->reason : null,
            $exception instanceof EnricherInputValidationException
                ? array_map(self::toPlain(...), $exception->details)
                : null,
            $exception,
        );
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        $described = ['code' => $this->code->value, 'message' => $this->message];
        if ($this->reason !== null) {
            $described['reason'] = $this->reason->value;
        }
        if ($this->details !== null) {
            $described['details'] = $this->details;
        }
        return $described;
    }

    /** Issues of some validators are objects, or contain what JSON cannot hold. */
    private static function toPlain(mixed $issue): mixed
    {
        try {
            return Json::toArrays(Json::read(Json::write($issue)));
        } catch (\Throwable) {
            return ['message' => 'An issue that cannot be read.'];
        }
    }
}
