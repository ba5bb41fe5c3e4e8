<?php

declare(strict_types=1);

namespace NotificationCenter\Tests\Support;

/** Runs a script by PHP's own web server on a free port, until `stop()` or the end of this process. */
final class PhpServer
{
    public readonly string $url;
    /** @var resource|null */
    private mixed $process;

    /**
     * @param array<string, string> $environment added to this process's own
     * @param string|null $folder the working directory; default: this process's own
     */
    public function __construct(string $script, array $environment = [], ?string $folder = null)
    {
        $port = self::findFreePort();
        $this->url = "http://127.0.0.1:$port";
        $command = [\PHP_BINARY, '-S', "127.0.0.1:$port", $script];
        $streams = [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']];
        $process = proc_open($command, $streams, $pipes, $folder, [...getenv(), ...$environment]);
        if ($process === false) {
            throw new \RuntimeException('process not started: php');
        }
        $this->process = $process;
        $until = hrtime(true) + 20 * 10 ** 9;
        while (@fsockopen('127.0.0.1', $port) === false) {
            if (hrtime(true) > $until || !proc_get_status($process)['running']) {
                throw new \RuntimeException('server not reached: php -S');
            }
            usleep(10_000);
        }
    }

    public function stop(): void
    {
        if ($this->process !== null) {
            proc_terminate($this->process, \SIGKILL);
            proc_close($this->process);
            $this->process = null;
        }
    }

    public function __destruct()
    {
        $this->stop();
    }

    public static function findFreePort(): int
    {
        $server = stream_socket_server('tcp://127.0.0.1:0');
        if ($server === false) {
            throw new \RuntimeException('no port is free');
        }
        $port = (int) substr((string) strrchr((string) stream_socket_get_name($server, false), ':'), 1);
        fclose($server);
        return $port;
    }
}
