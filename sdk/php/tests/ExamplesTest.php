<?php

declare(strict_types=1);

namespace NotificationCenter\Tests;

use App\Events\OrderShipped;
use App\Listeners\TrackShippedOrder;
use NotificationCenter\NotificationClient;
use NotificationCenter\Tests\Support\Data;
use NotificationCenter\Tests\Support\Given;
use NotificationCenter\Tests\Support\LaravelApp;
use NotificationCenter\Tests\Support\Live;
use NotificationCenter\Tests\Support\PhpServer;
use NotificationCenter\Tests\Support\Project;
use PHPUnit\Framework\TestCase;

/**
 * Tests the package and its examples like a customer: installed by Composer in another project, run against a real
 * server.
 */
final class ExamplesTest extends TestCase
{
    private static ?Project $project = null;

    public static function tearDownAfterClass(): void
    {
        self::$project?->remove();
        self::$project = null;
    }

    private static function project(): Project
    {
        return self::$project ??= new Project();
    }

    /** @return array<string, string> */
    private static function environment(): array
    {
        $secrets = Live::target()->secrets;
        return [
            'AUTH_SECRET_KEY' => $secrets->authSecretKey,
            'SDK_SECRET_KEY' => $secrets->sdkSecretKey,
            'WEBHOOK_SIGNING_SECRET' => $secrets->webhookSigningSecret,
            'NOTIFICATION_URL' => Live::target()->url,
        ];
    }

    private static function example(string $path): string
    {
        return Data::root() . "/examples/$path";
    }

    public function testComposerFindsNoFaultInThePackage(): void
    {
        $path = Data::root() . '/sdk/php/composer.json';
        [$status, $output] = self::project()->run(['composer', 'validate', '--strict', '--no-interaction', $path]);
        self::assertSame(0, $status, $output);
    }

    public function testTheInstalledPackageHoldsSourcesSettingsGuideAndLicenceAlone(): void
    {
        $installed = self::project()->folder . '/vendor/notification-center/php';
        self::assertFileExists("$installed/README.md");
        self::assertFileExists("$installed/LICENSE");
        self::assertFileExists("$installed/src/NotificationClient.php");
        $expected = ['.', '..', 'CHANGELOG.md', 'LICENSE', 'README.md', 'composer.json', 'config', 'src'];
        self::assertSame([], array_diff(scandir($installed) ?: [], $expected));
        $classes = require self::project()->folder . '/vendor/composer/autoload_classmap.php';
        self::assertArrayHasKey(NotificationClient::class, $classes);
    }

    public function testTheFirstProgramOfTheGuideRuns(): void
    {
        $guide = (string) file_get_contents(Data::root() . '/sdk/php/README.md');
        self::assertSame(1, preg_match('/```php\n(.*?)```/s', $guide, $parts));
        $program = str_replace('http://127.0.0.1:3000', Live::target()->url, $parts[1]);
        file_put_contents(self::project()->folder . '/guide.php', $program);
        [$status, $output] = self::project()->run([\PHP_BINARY, 'guide.php'], self::environment());
        self::assertSame(0, $status, $output);
        self::assertMatchesRegularExpression('/^evt_\S+\nv2\.\d+\.[0-9a-f]{64}$/', trim($output));
    }

    public function testPlainPhpTracksAnEventAndMintsAToken(): void
    {
        $command = [\PHP_BINARY, self::example('php-plain/track.php')];
        $run = static fn (array $more): array => self::project()->run([...$command, ...$more], self::environment());
        [$status, $output] = $run([]);
        self::assertSame(0, $status, $output);
        self::assertMatchesRegularExpression('/^stored: evt_\S+\ntoken: v2\.\d+\.[0-9a-f]{64}$/', trim($output));
        [, $again] = $run([]);
        self::assertStringStartsWith('stored before: evt_', $again);
        [$refused, $message] = $run(['a..b']);
        self::assertSame(1, $refused);
        self::assertStringStartsWith('event refused: 400 event/invalid-name repeated-separator', $message);
    }

    public function testPlainPhpAnswersEnrichers(): void
    {
        $server = new PhpServer(self::example('php-plain/enrichers.php'), self::environment(), self::project()->folder);
        self::assertSame(
            ['ok' => true, 'data' => ['total' => 42.5, 'lines' => 2, 'orderId' => 'A-1042', 'customer' => 'test']],
            self::askEnricher('php-plain-order-details', 'order-details', $server->url, ['orderId' => 'A-1042']),
        );
        $server->stop();
    }

    /**
     * Registers the address at the real server under the name that the example answers to, and asks it.
     *
     * @param array<string, mixed> $params
     * @return array<string, mixed>
     */
    private static function askEnricher(string $title, string $name, string $url, array $params): array
    {
        $target = Live::target();
        $key = $target->secrets->sdkSecretKey;
        [$status] = Live::call('PUT', "$target->url/v1/enrichers/$name", ['url' => "$url/enrichers"], $key);
        self::assertLessThan(300, $status, $title);
        [, $answer] = Live::call('POST', "$target->url/v1/enrichers/$name/test", ['params' => $params], $key);
        return array_intersect_key($answer, ['ok' => 1, 'data' => 1, 'error' => 1]);
    }

    public function testLaravelAnswersEnrichers(): void
    {
        $app = new LaravelApp(['webhook_signing_secret' => 'whsec_' . base64_encode(Given::SIGNING_KEY)]);
        $call = Given::json(Given::signedCall('order-details', ['orderId' => 'A-1042']));
        $response = $app->handle('POST', '/enrichers?name=order-details', [], $call);
        self::assertSame(200, $response->getStatusCode());
        $answer = json_decode((string) $response->getContent(), true);
        self::assertSame(['orderId' => 'A-1042', 'total' => 42.5, 'customer' => 'u_42'], $answer['data']);
    }

    public function testLaravelGivesTheTokenToTheSignedInUserAlone(): void
    {
        $secrets = Live::target()->secrets;
        $app = new LaravelApp(['auth_secret_key' => $secrets->authSecretKey], 'u_42');
        $answer = json_decode((string) $app->handle('GET', '/notification-token')->getContent(), true);
        [$status] = Live::signIn('u_42', $answer['token']);
        self::assertSame(200, $status);
        self::assertSame(401, (new LaravelApp([]))->handle('GET', '/notification-token')->getStatusCode());
    }

    public function testLaravelTracksAShippedOrderOnce(): void
    {
        $target = Live::target();
        $app = new LaravelApp(['sdk_secret_key' => $target->secrets->sdkSecretKey, 'base_url' => $target->url]);
        $listener = $app->make(TrackShippedOrder::class);
        foreach ([1, 2] as $_) {
            $listener->handle(new OrderShipped('A-77', 'php-laravel'));
        }
        $url = "$target->url/v1/events?userId=php-laravel";
        [, $page] = Live::call('GET', $url, null, $target->secrets->sdkSecretKey);
        self::assertSame(['order.shipped'], array_column($page['data'], 'name'));
    }
}
