<?php

declare(strict_types=1);

// Sends one event and prints the token that signs the same user's page in.

require 'vendor/autoload.php';

use NotificationCenter\NotificationClient;
use NotificationCenter\NotificationRequestException;
use Psr\Http\Client\ClientExceptionInterface;

$client = new NotificationClient(
    authSecretKey: getenv('AUTH_SECRET_KEY') ?: null,
    sdkSecretKey: getenv('SDK_SECRET_KEY') ?: null,
    baseUrl: getenv('NOTIFICATION_URL') ?: 'http://127.0.0.1:3000',
);

try {
    $answer = $client->track([
        'name' => $argv[1] ?? 'order.shipped',
        'userId' => 'u_42',
        'properties' => ['orderId' => 'A-1042', 'shippedAt' => new DateTimeImmutable('2026-01-31 17:20 Europe/Berlin')],
        // The same order is shipped once, however often this program runs.
        'idempotencyKey' => 'shipped-A-1042',
    ]);
    echo $answer->duplicate ? 'stored before: ' : 'stored: ', $answer->eventId, "\n";
} catch (NotificationRequestException $refusal) {
    // The service has refused the event, three times.
    fwrite(STDERR, "event refused: $refusal->status $refusal->errorCode $refusal->reason ($refusal->correlationId)\n");
    exit(1);
} catch (ClientExceptionInterface $failure) {
    // The service was not reached.
    fwrite(STDERR, "service not reached: {$failure->getMessage()}\n");
    exit(2);
}

echo 'token: ', $client->generateHashedToken('u_42', expiresAt: time() + 3600), "\n";
