<?php

declare(strict_types=1);

namespace App\Events;

/** Reports that an order has left the shop. */
final class OrderShipped
{
    public function __construct(
        public readonly string $orderId,
        public readonly string $userId,
    ) {
    }
}
