<?php

declare(strict_types=1);

// Settings of the notification service for Laravel. An empty secret is refused when the client is first needed.

return [
    // nc_auth_…: computes user tokens, and never leaves the application.
    'auth_secret_key' => env('NOTIFICATION_AUTH_SECRET_KEY'),
    // nc_sdk_…: sent with each event.
    'sdk_secret_key' => env('NOTIFICATION_SDK_SECRET_KEY'),
    // whsec_…: only for enrichers.
    'webhook_signing_secret' => env('NOTIFICATION_WEBHOOK_SIGNING_SECRET'),
    'base_url' => env('NOTIFICATION_CENTER_URL'),
    // For one attempt of a tracking call.
    'timeout_ms' => 10_000,
    // Pauses before the second and the third attempt.
    'retry_delays_ms' => [1000, 2000],
    // Address of an HTTP proxy; null for the one of the environment, if any.
    'proxy' => null,
];
