<?php

declare(strict_types=1);

namespace NotificationCenter\Tests\Support;

/**
 * Loads the SDK, its tests and its dependencies: from `vendor/` after `composer install`, else from Debian's packages,
 * whose folder is in PHP's include path.
 */
final class Autoload
{
    private const DEBIAN = ['GuzzleHttp', 'Psr/Log', 'Illuminate/Routing', 'Illuminate/Http', 'Symfony/Component/VarDumper'];

    public static function register(): void
    {
        spl_autoload_register(static function (string $class): void {
            foreach (['NotificationCenter\\Tests\\' => 'tests', 'NotificationCenter\\' => 'src'] as $prefix => $folder) {
                if (str_starts_with($class, $prefix)) {
                    $path = dirname(__DIR__, 2) . "/$folder/" . strtr(substr($class, strlen($prefix)), '\\', '/') . '.php';
                    if (is_file($path)) {
                        require $path;
                    }
                    return;
                }
            }
        });
        $vendor = dirname(__DIR__, 2) . '/vendor/autoload.php';
        if (is_file($vendor)) {
            require $vendor;
            return;
        }
        foreach (self::DEBIAN as $name) {
            $file = stream_resolve_include_path("$name/autoload.php");
            if ($file !== false) {
                require_once $file;
            }
        }
        // Debian 12 has no package of PSR-15.
        if (!interface_exists(\Psr\Http\Server\RequestHandlerInterface::class)) {
            require __DIR__ . '/psr-15.php';
        }
    }
}
