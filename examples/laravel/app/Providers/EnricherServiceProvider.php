<?php

declare(strict_types=1);

namespace App\Providers;

use Illuminate\Support\ServiceProvider;
use NotificationCenter\Enrichers\EnricherContext;
use NotificationCenter\NotificationClient;

/** Registers the enrichers of the shop when the client is first needed. List it in `bootstrap/providers.php`. */
final class EnricherServiceProvider extends ServiceProvider
{
    private const ORDER_DETAILS = [
        'type' => 'object',
        'required' => ['orderId'],
        'properties' => ['orderId' => ['type' => 'string']],
    ];

    public function register(): void
    {
        $this->app->extend(NotificationClient::class, function (NotificationClient $client): NotificationClient {
            return $client->enricher('order-details', self::ORDER_DETAILS, $this->orderDetails(...));
        });
    }

    /**
     * @param array{orderId: string} $params
     * @return array<string, mixed>
     */
    private function orderDetails(array $params, EnricherContext $context): array
    {
        return ['orderId' => $params['orderId'], 'total' => 42.5, 'customer' => $context->user['id'] ?? null];
    }
}
