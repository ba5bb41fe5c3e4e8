<?php

declare(strict_types=1);

namespace NotificationCenter\Laravel;

use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use NotificationCenter\NotificationClient;

/**
 * Answers enricher calls in Laravel: `Route::post('/enrichers', EnricherController::class)` in `routes/api.php`, which
 * has no CSRF check.
 */
final class EnricherController
{
    public function __construct(private readonly NotificationClient $client)
    {
    }

    public function __invoke(Request $request): JsonResponse
    {
        $content = $request->getContent();
        $response = $this->client->dispatch($content, $request->headers->all(), $request->query->all()['name'] ?? null);
        return JsonResponse::fromJsonString($response->toJson(), $response->status(), ['Cache-Control' => 'no-store']);
    }
}
