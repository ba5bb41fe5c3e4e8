<?php

declare(strict_types=1);

namespace NotificationCenter\Tests\Support;

/** Loads the SDK, its tests, the example for Laravel, and their dependencies. */
final class Autoload
{
    private const FOLDERS = [
        'NotificationCenter\\Tests\\' => 'sdk/php/tests',
        'NotificationCenter\\' => 'sdk/php/src',
        'App\\' => 'examples/laravel/app',
    ];

    public static function register(): void
    {
        spl_autoload_register(static function (string $class): void {
            foreach (self::FOLDERS as $prefix => $folder) {
                if (str_starts_with($class, $prefix)) {
                    $name = strtr(substr($class, strlen($prefix)), '\\', '/');
                    $path = dirname(__DIR__, 4) . "/$folder/$name.php";
                    if (is_file($path)) {
                        require $path;
                    }
                    return;
                }
            }
        });
        require __DIR__ . '/dependencies.php';
    }
}
