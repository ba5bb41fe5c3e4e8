<?php

declare(strict_types=1);

namespace App\Listeners;

use App\Events\OrderShipped;
use Illuminate\Contracts\Queue\ShouldQueue;
use NotificationCenter\NotificationClient;

/**
 * Tracks an event for each shipped order. It is queued, because a refused event takes three seconds to be refused. The
 * order's number as the key lets the queue repeat the job without a second notification.
 */
final class TrackShippedOrder implements ShouldQueue
{
    public function __construct(private readonly NotificationClient $client)
    {
    }

    public function handle(OrderShipped $event): void
    {
        $this->client->track([
            'name' => 'order.shipped',
            'userId' => $event->userId,
            'properties' => ['orderId' => $event->orderId],
            'idempotencyKey' => "shipped-$event->orderId",
        ]);
    }
}
