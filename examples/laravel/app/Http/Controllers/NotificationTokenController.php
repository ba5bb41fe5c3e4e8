<?php

declare(strict_types=1);

namespace App\Http\Controllers;

use Illuminate\Http\JsonResponse;
use Illuminate\Http\Request;
use NotificationCenter\NotificationClient;

/** Gives the page of the signed-in user the token for `<notification-center>`. */
final class NotificationTokenController
{
    public function __invoke(Request $request, NotificationClient $client): JsonResponse
    {
        $userId = (string) $request->user()->getAuthIdentifier();
        $token = $client->generateHashedToken($userId, expiresAt: time() + 3600);
        return new JsonResponse(['userId' => $userId, 'token' => $token], 200, ['Cache-Control' => 'no-store']);
    }
}
