<?php

declare(strict_types=1);

namespace NotificationCenter\Tests\Support;

use GuzzleHttp\Client;

/**
 * Holds the servers of the shared suite (`sdk/live`): the real one, and one that plays scripts. Starts them once,
 * unless `NC_LIVE_TARGET` names a file with those of another process.
 */
final class Live
{
    private static ?\stdClass $target = null;
    /** @var resource|null the process ends when this input is closed, so with this process */
    private static mixed $input = null;

    public static function target(): \stdClass
    {
        if (self::$target === null) {
            $file = getenv('NC_LIVE_TARGET');
            $line = is_string($file) && $file !== '' ? (string) file_get_contents($file) : self::start();
            self::$target = json_decode($line, false, 512, \JSON_THROW_ON_ERROR);
        }
        return self::$target;
    }

    private static function start(): string
    {
        $command = ['node', '--import', 'tsx', 'sdk/live/main.ts'];
        $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], \STDERR], $pipes, Data::root());
        if ($process === false) {
            throw new \RuntimeException('process not started: node');
        }
        self::$input = $pipes[0];
        register_shutdown_function(static function () use ($process): void {
            fclose(self::$input);
            proc_close($process);
        });
        return (string) fgets($pipes[1]);
    }

    /** @return array{int, mixed} the status, and the parsed body with arrays for objects */
    public static function call(string $method, string $url, mixed $body = null, ?string $key = null): array
    {
        $options = ['http_errors' => false, 'timeout' => 30];
        if ($body !== null) {
            $options['json'] = $body;
        }
        if ($key !== null) {
            $options['headers'] = ['Authorization' => "Bearer $key"];
        }
        $response = (new Client())->request($method, $url, $options);
        return [$response->getStatusCode(), json_decode((string) $response->getBody(), true)];
    }

    /** @return array{int, mixed} the status and the session of a widget's sign-in */
    public static function signIn(string $userId, string $token): array
    {
        $body = ['authType' => 'backendToken', 'userId' => $userId, 'token' => $token];
        $body['apiKey'] = self::target()->secrets->frontApiKey;
        return self::call('POST', self::target()->url . '/v1/users/auth', $body);
    }
}
