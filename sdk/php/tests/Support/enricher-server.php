<?php

declare(strict_types=1);

// Serves the enrichers of the shared suite (`sdk/live/suite.json`) by PHP's own server and the adapter for PSR-15.

use GuzzleHttp\Psr7\ServerRequest;
use NotificationCenter\Enrichers\EnricherContext;
use NotificationCenter\Http\EnricherRequestHandler;
use NotificationCenter\NotificationClient;
use NotificationCenter\Tests\Support\Data;

require __DIR__ . '/../bootstrap.php';

$enrichers = Data::read('sdk/live/suite.json')->enrichers;
$client = new NotificationClient(
    authSecretKey: 'nc_auth_unused',
    sdkSecretKey: 'nc_sdk_unused',
    baseUrl: 'http://127.0.0.1:1',
    webhookSigningSecret: (string) getenv('NC_TEST_SIGNING_SECRET'),
);
$handler = static function (array $params, EnricherContext $context) use ($enrichers): array {
    if ($params['orderId'] === 'lost') {
        throw new RuntimeException($enrichers->handlerSecret);
    }
    return ['orderId' => $params['orderId'], 'askedFor' => $context->user['id'] ?? null];
};
$client->enricher((string) getenv('NC_TEST_ENRICHER'), $enrichers->schema, $handler);

$response = (new EnricherRequestHandler($client))->handle(ServerRequest::fromGlobals());
http_response_code($response->getStatusCode());
foreach ($response->getHeaders() as $name => $values) {
    header("$name: " . implode(', ', $values));
}
echo $response->getBody();
