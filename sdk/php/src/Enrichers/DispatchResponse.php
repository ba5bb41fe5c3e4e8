<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

use NotificationCenter\Internal\Json;

/**
 * Describes the answer to an enricher call: `json_encode($response)`, or `toJson()`, is the body to send, and
 * `status()` its HTTP status.
 */
final class DispatchResponse implements \JsonSerializable
{
    /**
     * @param mixed $data the handler's result as parsed JSON: objects are `stdClass`; null after a failure
     * @param string|null $name the name of the enricher; null after a failure
     * @param int|null $durationMs null after a failure
     */
    private function __construct(
        public readonly bool $ok,
        public readonly mixed $data,
        public readonly ?string $name,
        public readonly ?int $durationMs,
        public readonly ?DispatchError $error,
    ) {
    }

    /** @internal */
    public static function success(mixed $data, string $name, int $durationMs): self
    {
        return new self(true, $data, $name, $durationMs, null);
    }

    /** @internal */
    public static function failure(DispatchError $error): self
    {
        return new self(false, null, null, null, $error);
    }

    /** Returns the HTTP status to answer with. */
    public function status(): int
    {
        return $this->error === null ? 200 : $this->error->code->status();
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return $this->error === null
            ? ['ok' => true, 'data' => $this->data, 'name' => $this->name, 'durationMs' => $this->durationMs]
            : ['ok' => false, 'error' => $this->error];
    }

    public function toJson(): string
    {
        return Json::write($this);
    }
}
