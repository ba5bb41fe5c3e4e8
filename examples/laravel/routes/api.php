<?php

declare(strict_types=1);

// Adds the address that the service calls for enrichers, and the one where the page gets its token.

use App\Http\Controllers\NotificationTokenController;
use Illuminate\Support\Facades\Route;
use NotificationCenter\Laravel\EnricherController;

Route::post('/enrichers', EnricherController::class);
Route::get('/notification-token', NotificationTokenController::class)->middleware('auth');
