<?php

declare(strict_types=1);

namespace NotificationCenter\Laravel;

use Illuminate\Contracts\Config\Repository;
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
            $settings = $app->make(Repository::class)->get('notification-center');
            $setting = static fn (string $name): mixed => is_array($settings) ? $settings[$name] ?? null : null;
            $text = static fn (string $name): ?string => is_string($setting($name)) ? $setting($name) : null;
            $timeoutMs = $setting('timeout_ms');
            $delaysMs = $setting('retry_delays_ms');
            return new NotificationClient(
                authSecretKey: $text('auth_secret_key'),
                sdkSecretKey: $text('sdk_secret_key'),
                webhookSigningSecret: $text('webhook_signing_secret'),
                baseUrl: $text('base_url'),
                // The environment has texts.
                timeoutMs: is_numeric($timeoutMs) ? (int) $timeoutMs : null,
                retryDelaysMs: is_array($delaysMs) ? $delaysMs : [1000, 2000],
                proxy: $text('proxy'),
                logger: $app->bound(LoggerInterface::class) ? $app->make(LoggerInterface::class) : null,
            );
        });
    }

    public function boot(): void
    {
        $this->publishes([self::CONFIG => $this->app->configPath('notification-center.php')], 'notification-center');
    }
}
