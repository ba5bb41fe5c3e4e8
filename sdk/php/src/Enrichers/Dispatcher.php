<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

use NotificationCenter\Internal\Json;
use NotificationCenter\Schemas\InvalidParamsException;
use Psr\Log\LoggerInterface;

/**
 * Answers an enricher call in every case: verifies, finds, validates and runs the handler.
 *
 * @internal
 */
final class Dispatcher
{
    /** The service refuses a longer answer; a check here can report the reason. */
    private const MAX_DATA_BYTES = 1024 * 1024 - 1024;

    /**
     * @param Signature|null $signature null when the client has no webhookSigningSecret
     * @param \Closure(): int $now epoch milliseconds
     * @param \Closure(EnricherException): mixed $onError
     */
    public function __construct(
        private readonly ?Signature $signature,
        private readonly Registry $registry,
        private readonly \Closure $now,
        private readonly \Closure $onError,
        private readonly LoggerInterface $logger,
    ) {
    }

    public function dispatch(mixed $body, mixed $headers, mixed $name): DispatchResponse
    {
        try {
            return $this->answer($body, $headers, $name);
        } catch (\Throwable $thrown) {
            $exception = $thrown instanceof EnricherException
                ? $thrown
                : new EnricherException('The dispatch failed.', EnricherErrorCode::Internal, $thrown);
            $this->report($exception);
            return DispatchResponse::failure(DispatchError::of($exception));
        }
    }

    private function answer(mixed $body, mixed $headers, mixed $name): DispatchResponse
    {
        $begun = hrtime(true);
        if ($this->signature === null) {
            throw new EnricherException('This client has no webhookSigningSecret.');
        }
        $call = SignedCall::open($this->signature, $body, $headers, $name, ($this->now)());
        [$schema, $handler] = $this->registry->find($call->name) ?? throw new EnricherNotFoundException($call->name);
        try {
            $params = $schema->validate($call->params);
        } catch (InvalidParamsException $invalid) {
            throw new EnricherInputValidationException($call->name, $invalid->issues);
        }
        $data = $this->ask($handler, Json::toArrays($params), $call->context);
        return DispatchResponse::success($data, $call->name, (int) round((hrtime(true) - $begun) / 1e6));
    }

    /** Runs the handler and returns its result as the service will parse it. */
    private function ask(\Closure $handler, mixed $params, EnricherContext $context): mixed
    {
        try {
            $text = Json::write($handler($params, $context));
            $data = Json::read($text);
        } catch (\Throwable $cause) {
            throw new EnricherHandlerException("The enricher \"$context->name\" failed.", $cause);
        }
        if (strlen($text) > self::MAX_DATA_BYTES) {
            $cause = new \LengthException('The answer is longer than 1 MiB.');
            throw new EnricherHandlerException("The enricher \"$context->name\" answered more than 1 MiB.", $cause);
        }
        return $data;
    }

    /** Reports a failure. The listener's own failure does not change the answer. */
    private function report(EnricherException $exception): void
    {
        try {
            $this->logger->error('enricher call failed: {error}', [
                'error' => $exception->getMessage(),
                'code' => $exception->errorCode->value,
                'exception' => $exception,
            ]);
        } catch (\Throwable) {
            // The logger failed; the listener may work.
        }
        try {
            ($this->onError)($exception);
        } catch (\Throwable) {
            // The listener failed.
        }
    }
}
