<?php

declare(strict_types=1);

// Loads the SDK and its dependencies: from vendor/ after `composer install`, else from Debian's packages.

use NotificationCenter\Tests\Support\Autoload;

require __DIR__ . '/Support/Autoload.php';

Autoload::register();
