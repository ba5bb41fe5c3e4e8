<?php

declare(strict_types=1);

namespace NotificationCenter\Laravel;

use Illuminate\Contracts\Container\Container;
use Illuminate\Support\ServiceProvider;
use NotificationCenter\NotificationClient;
use Psr\Log\LoggerInterface;

/**
 * Registers one `NotificationClient` for a Laravel application, with the settings of `config/notification-center.php`
 * (publish it with `php artisan vendor:publish --tag=notification-center`) or of the environment.
 */
final class NotificationServiceProvider extends ServiceProvider
{
    private const CONFIG = __DIR__ . '/../../config/notification-center.php';

    public function register(): void
    {
        $this->mergeConfigFrom(self::CONFIG, 'notification-center');
        $this->app->singleton(NotificationClient::class, static function (Container $app): NotificationClient {
            $config = $app->make('config');
            $setting = static fn (string $name): mixed => $config->get("notification-center.$name");
            return new NotificationClient(
                authSecretKey: $setting('auth_secret_key'),
                sdkSecretKey: $setting('sdk_secret_key'),
                webhookSigningSecret: $setting('webhook_signing_secret'),
                baseUrl: $setting('base_url'),
                timeoutMs: $setting('timeout_ms'),
                retryDelaysMs: $setting('retry_delays_ms'),
                proxy: $setting('proxy'),
                logger: $app->bound(LoggerInterface::class) ? $app->make(LoggerInterface::class) : null,
            );
        });
    }

    public function boot(): void
    {
        $this->publishes([self::CONFIG => $this->app->configPath('notification-center.php')], 'notification-center');
    }
}
