<?php

declare(strict_types=1);

namespace NotificationCenter\Enrichers;

/** Reports a failed dispatch. Without a subclass its code is `internal`. Nothing throws it to a caller of the SDK. */
class EnricherException extends \RuntimeException
{
    public function __construct(
        string $message,
        public readonly EnricherErrorCode $errorCode = EnricherErrorCode::Internal,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
