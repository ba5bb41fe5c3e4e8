<?php

declare(strict_types=1);

namespace NotificationCenter;

use GuzzleHttp\Client;
use GuzzleHttp\ClientInterface as GuzzleClient;
use GuzzleHttp\Psr7\HttpFactory;
use NotificationCenter\Enrichers\Dispatcher;
use NotificationCenter\Enrichers\DispatchResponse;
use NotificationCenter\Enrichers\EnricherContext;
use NotificationCenter\Enrichers\EnricherException;
use NotificationCenter\Enrichers\EnricherRegistrationException;
use NotificationCenter\Enrichers\Registry;
use NotificationCenter\Enrichers\Signature;
use NotificationCenter\Internal\ExceptionScrubber;
use NotificationCenter\Internal\Json;
use NotificationCenter\Internal\Secret;
use NotificationCenter\Internal\Settings;
use NotificationCenter\Internal\Tokens;
use NotificationCenter\Internal\Uuid;
use NotificationCenter\Schemas\JsonSchemaValidator;
use NotificationCenter\Schemas\ParamsSchema;
use NotificationCenter\Tracking\ApiCall;
use NotificationCenter\Tracking\Sender;
use NotificationCenter\Tracking\Tracker;
use NotificationCenter\Tracking\Transport;
use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Log\LoggerInterface;
use Psr\Log\NullLogger;

/**
 * Represents one environment of the service. One client serves the whole process; it keeps no global state.
 *
 * @phpstan-type UserProfile array{
 *     email?: string|null,
 *     name?: string|null,
 *     locale?: string|null,
 *     timeZone?: string|null,
 *     attributes?: array<string, mixed>|object,
 *     externalIds?: array<string, string|null>|object,
 * }
 * @phpstan-type EventToTrack array{
 *     name: string,
 *     userId?: string|int|null,
 *     userIds?: array<string|int>|null,
 *     topic?: string|null,
 *     user?: UserProfile|object|null,
 *     properties?: array<string, mixed>|object|null,
 *     occurredAt?: \DateTimeInterface|string|int|float|null,
 *     idempotencyKey?: string|null,
 * }
 */
final class NotificationClient
{
    private const DEFAULT_TIMEOUT_MS = 10_000;

    private readonly Secret $authSecretKey;
    private readonly Sender $sender;
    private readonly Tracker $tracker;
    private readonly Registry $registry;
    private readonly Dispatcher $dispatcher;

    /**
     * @param string|null $authSecretKey `nc_auth_…`. User tokens are computed with it; it never leaves this process.
     * @param string|null $sdkSecretKey `nc_sdk_…`. Sent with each tracked event.
     * @param string|null $webhookSigningSecret `whsec_…`. Only `dispatch()` needs it.
     * @param string|null $baseUrl address of the service; default: that of the environment variable
     *     `NOTIFICATION_CENTER_URL`
     * @param int|null $timeoutMs limit for one attempt of a tracking call, to the last byte of its answer; default
     *     10,000. Only Guzzle can hold it: with another `httpClient` it is refused, and that client's own limit counts.
     * @param array<int> $retryDelaysMs pauses before the second and the third attempt, in milliseconds; `[]` for no
     *     retry
     * @param string|null $proxy address of an HTTP proxy for Guzzle; default: `HTTPS_PROXY` and `NO_PROXY` of the
     *     process
     * @param GuzzleClient|ClientInterface|null $httpClient replaces the own Guzzle client; with Guzzle, redirects are
     *     not followed
     * @param RequestFactoryInterface|null $requestFactory default: Guzzle's
     * @param StreamFactoryInterface|null $streamFactory default: Guzzle's
     * @param LoggerInterface|null $logger receives each failed attempt and each failed dispatch, without secrets
     * @param (callable(EnricherException): mixed)|null $onEnricherError receives the exception of every failed
     *     dispatch, with the previous one that is not sent to the service; what it throws is ignored
     * @param (callable(): int)|null $now replaces the clock in tests; epoch milliseconds
     * @param (callable(int): mixed)|null $sleep waits for so many milliseconds; replace it where usleep() blocks other
     *     work
     * @param string $retry `transient` repeats only what may pass: no answer, 408, 425, 429, 5xx
     * @param (callable(array{attempt: int, error: \Throwable, delayMs: int|null}): mixed)|null $onAttempt receives each
     *     failed attempt; what it throws is ignored
     * @param JsonSchemaValidator|null $jsonSchemaValidator compiles the JSON Schemas of enrichers; default: the SDK's
     *     own
     * @throws \InvalidArgumentException with the name of an invalid option, without its value
     */
    public function __construct(
        #[\SensitiveParameter] ?string $authSecretKey = null,
        #[\SensitiveParameter] ?string $sdkSecretKey = null,
        #[\SensitiveParameter] ?string $webhookSigningSecret = null,
        #[\SensitiveParameter] ?string $baseUrl = null,
        ?int $timeoutMs = null,
        array $retryDelaysMs = [1000, 2000],
        #[\SensitiveParameter] ?string $proxy = null,
        GuzzleClient|ClientInterface|null $httpClient = null,
        ?RequestFactoryInterface $requestFactory = null,
        ?StreamFactoryInterface $streamFactory = null,
        ?LoggerInterface $logger = null,
        ?callable $onEnricherError = null,
        ?callable $now = null,
        ?callable $sleep = null,
        string $retry = 'always',
        ?callable $onAttempt = null,
        ?JsonSchemaValidator $jsonSchemaValidator = null,
    ) {
        try {
            $this->authSecretKey = new Secret(Settings::secret($authSecretKey, 'authSecretKey'));
            $signature = $webhookSigningSecret === null
                ? null
                : Signature::fromSecret(Settings::secret($webhookSigningSecret, 'webhookSigningSecret'));
            $transport = new Transport(
                $httpClient ?? new Client(),
                $proxy === null ? null : new Secret(Settings::proxy($proxy)),
            );
            if (!$transport->hasTimeLimit() && ($timeoutMs !== null || $proxy !== null)) {
                throw new \InvalidArgumentException('timeoutMs and proxy need Guzzle: set them on your httpClient.');
            }
            if ($retry !== 'always' && $retry !== 'transient') {
                throw new \InvalidArgumentException('retry must be "always" or "transient".');
            }
            $factory = new HttpFactory();
            $log = $logger ?? new NullLogger();
            $this->sender = new Sender(
                Settings::baseUrl($baseUrl),
                new Secret(Settings::sdkSecretKey($sdkSecretKey)),
                $transport,
                $requestFactory ?? $factory,
                $streamFactory ?? $factory,
                Settings::timer($timeoutMs ?? self::DEFAULT_TIMEOUT_MS, 'timeoutMs'),
                Settings::delays($retryDelaysMs),
                \Closure::fromCallable($sleep ?? static fn (int $delayMs) => usleep($delayMs * 1000)),
                $log,
                $retry,
                \Closure::fromCallable($onAttempt ?? static fn (): bool => true),
            );
            $this->tracker = new Tracker($this->sender);
            $this->registry = new Registry($jsonSchemaValidator);
            $this->dispatcher = new Dispatcher(
                $signature,
                $this->registry,
                \Closure::fromCallable($now ?? static fn (): int => (int) (microtime(true) * 1000)),
                \Closure::fromCallable($onEnricherError ?? static fn (): bool => true),
                $log,
            );
        } catch (\InvalidArgumentException $exception) {
            // PHP 8.1 ignores SensitiveParameter, so its traces would hold the secrets.
            ExceptionScrubber::withoutArguments($exception);
            throw $exception;
        }
    }

    /**
     * Sends one event. Returns when the service has stored it on disk. A failed attempt is repeated after 1 s and 2 s
     * under one idempotency key, so that the event is stored once.
     *
     * An empty array of PHP is `{}` for `properties`, `user` and its objects, and `[]` elsewhere; write
     * `new \stdClass()` for an empty object deeper down. Times become ISO 8601 in UTC.
     *
     * @param EventToTrack $event with exactly one of `userId`, `userIds` and `topic`
     * @param int|null $timeoutMs replaces the client's limit for each attempt
     * @param string|null $correlationId connects this call with your own logs: 1 to 128 of `[A-Za-z0-9._-]`
     * @throws ClientExceptionInterface the exception of the last attempt: a NotificationRequestException for an answer
     *     of the service, else the original exception of the HTTP client, with the key removed from its request
     * @throws \InvalidArgumentException for a call that cannot be sent
     */
    public function track(array $event, ?int $timeoutMs = null, ?string $correlationId = null): TrackAnswer
    {
        return $this->tracker->track($event, $timeoutMs, $correlationId);
    }

    /**
     * Sends 1 to 1,000 events in one request. A fault of one event is its own result; the others are accepted.
     *
     * @param array<EventToTrack|object> $events
     * @param int|null $timeoutMs replaces the client's limit for each attempt
     * @param string|null $correlationId connects this call with your own logs: 1 to 128 of `[A-Za-z0-9._-]`
     * @throws ClientExceptionInterface as of track()
     * @throws \InvalidArgumentException for a call that cannot be sent
     */
    public function trackBatch(array $events, ?int $timeoutMs = null, ?string $correlationId = null): BatchAnswer
    {
        return $this->tracker->trackBatch($events, $timeoutMs, $correlationId);
    }

    /**
     * Calls another route of the API with the `sdkSecretKey`. Retries and fails as track() does.
     *
     * @param string $method GET, POST, PUT, PATCH or DELETE
     * @param string $path the path with its query, such as `/v1/deliveries?limit=100`
     * @param mixed $body what is sent as JSON, an empty array as `{}`; null for nothing
     * @return mixed the answer, with associative arrays for JSON objects; of an export its CSV; null when it is empty
     * @throws ClientExceptionInterface as of track()
     * @throws \InvalidArgumentException for another method or path, or a body that is no JSON
     */
    public function request(string $method, string $path, mixed $body = null): mixed
    {
        [$text, $key] = ApiCall::check($method, $path, $body);
        $sent = $this->sender->send($method, $path, $text, $key, static fn (): bool => true, null, null);
        return Json::toArrays($sent->body);
    }

    /**
     * Signs a call of an enricher as the service does, for tests of your own.
     *
     * @param string $webhookSigningSecret `whsec_…`, that of the client that answers
     * @param mixed $params none are `{}`, as of a step without params
     * @param array<string, mixed>|object $user what the context's `user` is
     * @param array<string, mixed>|object $event what the context's `event` is
     * @return array{body: string, headers: array<string, string>} for dispatch(), or a request to your server
     * @throws \InvalidArgumentException for an invalid secret
     * @throws \JsonException for params that are no JSON
     */
    public static function signEnricherCall(
        #[\SensitiveParameter] string $webhookSigningSecret,
        string $name,
        mixed $params = null,
        array|object $user = [],
        array|object $event = [],
    ): array {
        $signature = Signature::fromSecret(Settings::secret($webhookSigningSecret, 'webhookSigningSecret'));
        $id = 'enr_' . Uuid::create();
        $params = $params === null || $params === [] ? new \stdClass() : $params;
        $call = ['id' => $id, 'name' => $name, 'params' => $params, 'user' => (object) $user, 'event' => (object) $event];
        $payload = Json::write($call);
        $timestamp = (string) time();
        $headers = [
            'webhook-id' => $id,
            'webhook-timestamp' => $timestamp,
            'webhook-signature' => $signature->sign($id, $timestamp, $payload),
        ];
        $body = ['name' => $name, 'payload' => $payload, 'params' => $params, 'headers' => $headers];
        return ['body' => Json::write($body), 'headers' => $headers];
    }

    /**
     * Computes the token for this user's `<notification-center>`. Prefer one with `expiresAt`, which expires.
     *
     * @param string|int $userId 1 to 256 characters, none of them a control character
     * @param \DateTimeInterface|string|int|float|null $expiresAt the end of the token, to the second: a time, an ISO
     *     8601 text with `Z` or an offset, Unix seconds, or milliseconds; the last two are distinguished by their size
     * @throws \InvalidArgumentException for an invalid user id or time
     */
    public function generateHashedToken(
        string|int|float $userId,
        \DateTimeInterface|string|int|float|null $expiresAt = null,
    ): string {
        // Without `float` in the type, PHP would cut 4.5 to 4: the token of another user.
        if (is_float($userId)) {
            throw new \InvalidArgumentException('userId must be a text or an integer.');
        }
        return Tokens::mint($this->authSecretKey, (string) $userId, $expiresAt);
    }

    /**
     * Registers the handler of an enricher. The schema checks the params first.
     *
     * @param array<string, mixed>|bool|\stdClass|ParamsSchema $schema JSON Schema, or a schema of your own
     * @param (callable(never, EnricherContext): mixed)|null $handler receives the params, with associative arrays for
     *     JSON objects, and returns the data for the campaign: anything that json_encode() can write, up to 1 MiB
     * @throws EnricherRegistrationException for an empty or taken name, an invalid schema or a missing handler
     */
    public function enricher(string $name, mixed $schema = null, mixed $handler = null): static
    {
        $this->registry->register($name, $schema, $handler);
        return $this;
    }

    /**
     * Answers one call of the service: verifies the body, validates the params, and runs the handler. Never throws.
     *
     * @param mixed $body the body of the request: its text, or what json_decode() made of it, in either form
     * @param mixed $headers the headers of the request, as an array of texts or of lists; they take precedence over the
     *     copies in the body
     * @param mixed $name the `name` of the query, which must equal the signed name; null when there is none
     */
    public function dispatch(mixed $body, mixed $headers = null, mixed $name = null): DispatchResponse
    {
        return $this->dispatcher->dispatch($body, $headers, $name);
    }

    /** @return array<string, string> */
    public function __debugInfo(): array
    {
        return [];
    }

    /** @throws \LogicException always, because a client holds secrets */
    public function __serialize(): never
    {
        throw new \LogicException('A NotificationClient cannot be serialised.');
    }
}
