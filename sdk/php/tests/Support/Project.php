<?php

declare(strict_types=1);

namespace NotificationCenter\Tests\Support;

/** Installs the SDK by Composer in a project of its own, without a network, and runs programs there. */
final class Project
{
    public readonly string $folder;

    public function __construct()
    {
        $this->folder = sys_get_temp_dir() . '/nc-php-' . bin2hex(random_bytes(6));
        mkdir($this->folder);
        $sdk = Data::root() . '/sdk/php';
        $options = ['symlink' => false, 'versions' => ['notification-center/php' => '0.1.0']];
        $composer = [
            'name' => 'customer/app',
            'repositories' => [
                ['type' => 'path', 'url' => $sdk, 'options' => $options],
                ['packagist.org' => false],
            ],
            'require' => ['notification-center/php' => '^0.1'],
            // These come from Debian's packages; the file loads them.
            'provide' => self::dependencies("$sdk/composer.json"),
            'autoload' => ['files' => ['dependencies.php']],
        ];
        file_put_contents("$this->folder/composer.json", Given::json($composer));
        $dependencies = "<?php\n\nrequire '$sdk/tests/Support/dependencies.php';\n";
        file_put_contents("$this->folder/dependencies.php", $dependencies);
        $options = ['--no-interaction', '--no-progress', '--no-plugins', '--optimize-autoloader'];
        [$status, $output] = $this->run(['composer', 'install', ...$options]);
        if ($status !== 0) {
            throw new \RuntimeException("composer install failed: $output");
        }
    }

    /** @return array<string, string> the exact versions do not matter to the SDK */
    private static function dependencies(string $path): array
    {
        $required = json_decode((string) file_get_contents($path), true)['require'];
        $packages = array_filter(array_keys($required), static fn (string $name): bool => str_contains($name, '/'));
        $oldest = static fn (string $name): string => trim(explode('||', $required[$name])[0]);
        return array_combine($packages, array_map($oldest, $packages));
    }

    /**
     * @param list<string> $command
     * @param array<string, string> $environment
     * @return array{int, string} the status, and both outputs
     */
    public function run(array $command, array $environment = []): array
    {
        $own = ['COMPOSER_HOME' => "$this->folder/.composer", 'COMPOSER_ALLOW_SUPERUSER' => '1'];
        $streams = [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]];
        $process = proc_open($command, $streams, $pipes, $this->folder, [...getenv(), ...$own, ...$environment]);
        if ($process === false) {
            throw new \RuntimeException("process not started: $command[0]");
        }
        $output = (string) stream_get_contents($pipes[1]);
        return [proc_close($process), $output];
    }

    public function remove(): void
    {
        $files = new \RecursiveIteratorIterator(
            new \RecursiveDirectoryIterator($this->folder, \FilesystemIterator::SKIP_DOTS),
            \RecursiveIteratorIterator::CHILD_FIRST,
        );
        foreach ($files as $file) {
            $file->isDir() && !$file->isLink() ? rmdir($file->getPathname()) : unlink($file->getPathname());
        }
        rmdir($this->folder);
    }
}
