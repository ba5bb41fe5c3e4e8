<?php

declare(strict_types=1);

// Loads what the SDK needs, without the SDK: from its vendor/ after `composer install`, else from Debian's packages.

if (is_file(__DIR__ . '/../../vendor/autoload.php')) {
    require __DIR__ . '/../../vendor/autoload.php';
    return;
}
$packages = ['GuzzleHttp', 'Psr/Log', 'Dotenv', 'Symfony/Component/VarDumper'];
$laravel = ['Illuminate/Config', 'Illuminate/Events', 'Illuminate/Routing', 'Illuminate/Http'];
foreach ([...$packages, ...$laravel] as $name) {
    $file = stream_resolve_include_path("$name/autoload.php");
    if ($file !== false) {
        require_once $file;
    }
}
// Debian 12 has no package of PSR-15.
if (!interface_exists(Psr\Http\Server\RequestHandlerInterface::class)) {
    require __DIR__ . '/psr-15.php';
}
