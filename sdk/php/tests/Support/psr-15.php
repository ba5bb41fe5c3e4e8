<?php

declare(strict_types=1);

// Declares the interface of PSR-15 (https://www.php-fig.org/psr/psr-15/) where the package psr/http-server-handler is
// missing: Debian 12 has none.

namespace Psr\Http\Server;

use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

interface RequestHandlerInterface
{
    public function handle(ServerRequestInterface $request): ResponseInterface;
}
