<?php

declare(strict_types=1);

namespace NotificationCenter\Tests;

use NotificationCenter\Enrichers\DispatchResponse;
use NotificationCenter\Enrichers\EnricherContext;
use NotificationCenter\Enrichers\EnricherException;
use NotificationCenter\Enrichers\EnricherHandlerException;
use NotificationCenter\Enrichers\EnricherHmacVerificationException;
use NotificationCenter\Enrichers\EnricherInputValidationException;
use NotificationCenter\Enrichers\EnricherNotFoundException;
use NotificationCenter\Enrichers\EnricherRegistrationException;
use NotificationCenter\NotificationClient;
use NotificationCenter\Tests\Support\Data;
use NotificationCenter\Tests\Support\Given;
use NotificationCenter\Tests\Support\Looks;
use NotificationCenter\Tests\Support\Operation;
use NotificationCenter\Tests\Support\Live;
use PHPUnit\Framework\TestCase;

/** Tests the SDK with `contract/vectors`, which all SDKs share. */
final class VectorsTest extends TestCase
{
    private const CLASSES = [
        'input-invalid' => EnricherInputValidationException::class,
        'hmac-invalid' => EnricherHmacVerificationException::class,
        'enricher-not-found' => EnricherNotFoundException::class,
        'handler-error' => EnricherHandlerException::class,
        'internal' => EnricherException::class,
    ];

    /** @return iterable<string, array{\stdClass}> */
    public function tokens(): iterable
    {
        $vectors = Data::read('contract/vectors/tokens.json');
        foreach ([...$vectors->plain, ...$vectors->expiring] as $at => $vector) {
            yield "token $at" => [$vector];
        }
    }

    /** @dataProvider tokens */
    public function testToken(\stdClass $vector): void
    {
        $client = Given::client(['authSecretKey' => $vector->key]);
        $token = $client->generateHashedToken($vector->userId, $vector->expiresAtSeconds ?? null);
        self::assertSame($vector->token, $token);
    }

    /** @return iterable<string, array{string}> */
    public function refusedUserIds(): iterable
    {
        foreach (Data::read('contract/vectors/tokens.json')->refusedUserIds as $at => $refused) {
            yield "user id $at" => [str_repeat($refused->text, $refused->repeat)];
        }
    }

    /** @dataProvider refusedUserIds */
    public function testRefusedUserId(string $userId): void
    {
        foreach ([null, time()] as $expiresAt) {
            try {
                Given::client()->generateHashedToken($userId, $expiresAt);
                self::fail('the user id must be refused');
            } catch (\InvalidArgumentException $exception) {
                self::assertStringContainsString('userId', $exception->getMessage());
            }
        }
    }

    /** @return array<string, array{\stdClass}> */
    public function acceptedOptions(): array
    {
        return Data::titled(Data::read('contract/vectors/client-options.json')->accepted);
    }

    /** @dataProvider acceptedOptions */
    public function testAcceptedOptions(\stdClass $case): void
    {
        $client = new NotificationClient(...(array) $case->options);
        Looks::showNone($client, [Data::read('contract/vectors/client-options.json')->secret]);
    }

    /** @return array<string, array{\stdClass}> */
    public function refusedOptions(): array
    {
        return Data::titled(Data::read('contract/vectors/client-options.json')->refused);
    }

    /** @dataProvider refusedOptions */
    public function testRefusedOptions(\stdClass $case): void
    {
        try {
            new NotificationClient(...(array) $case->options);
            self::fail('the options must be refused');
        } catch (\InvalidArgumentException $exception) {
            self::assertStringContainsString($case->names, $exception->getMessage());
            Looks::showNone($exception, [Data::read('contract/vectors/client-options.json')->secret]);
        }
    }

    /** @return iterable<string, array{\stdClass}> */
    public function enricherCalls(): iterable
    {
        return Data::titled(Data::read('contract/vectors/enricher-calls.json')->cases);
    }

    /** @dataProvider enricherCalls */
    public function testEnricherCall(\stdClass $case): void
    {
        $vectors = Data::read('contract/vectors/enricher-calls.json');
        $client = Given::client([
            'webhookSigningSecret' => $vectors->secret,
            'now' => static fn (): int => $vectors->nowSeconds * 1000 + 999,
        ]);
        $details = static fn (array $params, EnricherContext $context): array
            => ['params' => $params, 'userId' => $context->user['id']];
        $client->enricher('order-details', $vectors->schema, $details);
        $client->enricher('broken', true, static fn () => throw new \RuntimeException($vectors->handlerSecret));
        $text = Given::json($case->body);
        foreach ([$text, $case->body, json_decode($text, true)] as $body) {
            $response = $client->dispatch($body, $case->headers ?? null, $case->name ?? null);
            self::assertStringNotContainsString($vectors->handlerSecret, $response->toJson());
            self::compareAnswer($case->expect, $response);
        }
    }

    private static function compareAnswer(\stdClass $wanted, DispatchResponse $response): void
    {
        $answer = json_decode($response->toJson());
        if ($wanted->ok) {
            self::assertIsInt($answer->durationMs);
            unset($answer->durationMs);
            self::assertEquals($wanted, $answer);
            self::assertSame(200, $response->status());
            return;
        }
        self::assertFalse($response->ok);
        self::assertNotNull($response->error);
        self::assertSame($wanted->code, $answer->error->code);
        self::assertNotSame('', $answer->error->message);
        self::assertSame($wanted->reason ?? null, $answer->error->reason ?? null);
        self::assertSame($wanted->hasDetails ?? false, isset($answer->error->details));
        self::assertSame($wanted->status, $response->status());
        self::assertInstanceOf(self::CLASSES[$wanted->code], $response->error->cause);
    }

    /** @return array<string, array{\stdClass}> */
    public function acceptedSchemas(): array
    {
        return Data::titled(Data::read('contract/vectors/json-schemas.json')->accepted);
    }

    /** @dataProvider acceptedSchemas */
    public function testAcceptedSchema(\stdClass $case): void
    {
        // An array is how a program of PHP writes a schema.
        foreach ([$case->schema, json_decode(Given::json($case->schema), true)] as $schema) {
            $client = Given::client()->enricher('e', $schema, static fn (): string => 'reached');
            foreach ($case->fits as $params) {
                $answer = $client->dispatch(Given::json(Given::signedCall('e', $params)));
                self::assertSame('reached', $answer->data, $answer->toJson() . Given::json($params));
            }
            foreach ($case->unfit as $params) {
                $answer = $client->dispatch(Given::json(Given::signedCall('e', $params)));
                self::assertSame('input-invalid', $answer->error?->code->value, Given::json($params));
                self::assertNotEmpty($answer->error->details);
            }
        }
        self::assertTrue(isset($client));
    }

    /** @return array<string, array{\stdClass}> */
    public function refusedSchemas(): array
    {
        return Data::titled(Data::read('contract/vectors/json-schemas.json')->refused);
    }

    /** @dataProvider refusedSchemas */
    public function testRefusedSchema(\stdClass $case): void
    {
        $this->expectException(EnricherRegistrationException::class);
        $this->expectExceptionMessage($case->names);
        Given::client()->enricher('e', $case->schema, static fn (): string => 'reached');
    }

    /** @return array<string, array{\stdClass}> */
    public function scripts(): array
    {
        $scripts = Data::read('contract/vectors/retry-scripts.json');
        $batches = Data::read('contract/vectors/batches.json');
        return Data::titled([...$scripts->cases, ...$batches->cases]);
    }

    /** @dataProvider scripts */
    public function testScript(\stdClass $case): void
    {
        $secrets = (array) Data::read('contract/vectors/retry-scripts.json')->secrets;
        $script = Operation::givenScript($case->answers);
        $baseUrl = ($case->address ?? '') === 'closed' ? Live::target()->closedUrl : $script['url'];
        $client = new NotificationClient(...[...$secrets, ...(array) ($case->client ?? []), 'baseUrl' => $baseUrl]);
        ['exception' => $exception] = Operation::run($client, $case);
        Looks::showNone($exception, $secrets);
        Looks::showNone($client, $secrets);
        Operation::compareRequests($script['id'], $case->call, $secrets['sdkSecretKey'], $case->expect);
    }
}
