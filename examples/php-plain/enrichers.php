<?php

declare(strict_types=1);

// Answers enricher calls: `php -S 127.0.0.1:8080 enrichers.php`, or a script of any web server.

require 'vendor/autoload.php';

use GuzzleHttp\Psr7\ServerRequest;
use NotificationCenter\Enrichers\EnricherContext;
use NotificationCenter\Enrichers\EnricherException;
use NotificationCenter\Http\EnricherRequestHandler;
use NotificationCenter\NotificationClient;

$client = new NotificationClient(
    authSecretKey: getenv('AUTH_SECRET_KEY') ?: null,
    sdkSecretKey: getenv('SDK_SECRET_KEY') ?: null,
    webhookSigningSecret: getenv('WEBHOOK_SIGNING_SECRET') ?: null,
    baseUrl: getenv('NOTIFICATION_URL') ?: 'http://127.0.0.1:3000',
    onEnricherError: static fn (EnricherException $exception): bool => error_log((string) $exception),
);

$schema = ['type' => 'object', 'required' => ['orderId'], 'properties' => ['orderId' => ['type' => 'string']]];
$client->enricher('order-details', $schema, static function (array $params, EnricherContext $context): array {
    $orders = ['A-1042' => ['total' => 42.5, 'lines' => 2]];
    $order = $orders[$params['orderId']] ?? throw new RuntimeException("order not found: {$params['orderId']}");
    return [...$order, 'orderId' => $params['orderId'], 'customer' => $context->user['id'] ?? null];
});

$response = (new EnricherRequestHandler($client))->handle(ServerRequest::fromGlobals());

http_response_code($response->getStatusCode());
foreach ($response->getHeaders() as $name => $values) {
    header("$name: " . implode(', ', $values));
}
echo $response->getBody();
