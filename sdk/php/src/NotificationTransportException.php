<?php

declare(strict_types=1);

namespace NotificationCenter;

use Psr\Http\Client\ClientExceptionInterface;

/**
 * Replaces an exception of a custom HTTP client whose fields cannot be cleaned of the sdkSecretKey. Its message names
 * the class and the message of the original exception. Guzzle's own exceptions are never replaced.
 */
final class NotificationTransportException extends \RuntimeException implements ClientExceptionInterface
{
}
