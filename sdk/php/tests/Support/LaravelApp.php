<?php

declare(strict_types=1);

namespace NotificationCenter\Tests\Support;

use App\Providers\EnricherServiceProvider;
use Illuminate\Config\Repository;
use Illuminate\Container\Container;
use Illuminate\Contracts\Events\Dispatcher as Events;
use Illuminate\Events\EventServiceProvider;
use Illuminate\Http\Request;
use Illuminate\Routing\Contracts\ControllerDispatcher as ControllerDispatcherContract;
use Illuminate\Routing\ControllerDispatcher;
use Illuminate\Routing\Router;
use Illuminate\Support\Facades\Facade;
use Illuminate\Support\ServiceProvider;
use NotificationCenter\Laravel\NotificationServiceProvider;
use Symfony\Component\HttpFoundation\Response;

/**
 * Runs `examples/laravel` on Laravel's container, router and events. Debian's packages contain no whole application, so
 * this class provides the few methods of it that service providers call.
 */
final class LaravelApp extends Container
{
    /**
     * @param array<string, mixed> $settings of `config/notification-center.php`
     * @param string|null $userId who is signed in
     */
    public function __construct(array $settings, private readonly ?string $userId = null)
    {
        Container::setInstance($this);
        Facade::clearResolvedInstances();
        Facade::setFacadeApplication($this);
        $defaults = ['auth_secret_key' => Given::AUTH, 'sdk_secret_key' => Given::SDK];
        $this->instance('config', new Repository(['notification-center' => [...$defaults, 'base_url' => 'http://127.0.0.1:1', ...$settings]]));
        $this->alias('config', \Illuminate\Contracts\Config\Repository::class);
        $this->instance(Container::class, $this);
        $this->instance(\Illuminate\Contracts\Container\Container::class, $this);
        $this->bind(ControllerDispatcherContract::class, ControllerDispatcher::class);
        $providers = [EventServiceProvider::class, NotificationServiceProvider::class, EnricherServiceProvider::class];
        $registered = array_map(function (string $class): ServiceProvider {
            $provider = new $class($this);
            $provider->register();
            return $provider;
        }, $providers);
        $this->alias('events', Events::class);
        foreach ($registered as $provider) {
            if (method_exists($provider, 'boot')) {
                $this->call([$provider, 'boot']);
            }
        }
        $this->singleton('router', fn (): Router => new Router($this->make('events'), $this));
        $this->make('router')->aliasMiddleware('auth', self::authenticate(...));
        require Data::root() . '/examples/laravel/routes/api.php';
    }

    /** @param array<string, string> $headers */
    public function handle(string $method, string $uri, array $headers = [], string $body = ''): Response
    {
        $request = Request::create($uri, $method, [], [], [], [], $body);
        $request->headers->add($headers);
        $request->setUserResolver(fn (): ?object => $this->userId === null ? null : new class ($this->userId) {
            public function __construct(private readonly string $id)
            {
            }

            public function getAuthIdentifier(): string
            {
                return $this->id;
            }
        });
        $this->instance(Request::class, $request);
        return $this->make('router')->dispatch($request);
    }

    public function configPath(string $path = ''): string
    {
        return "/config/$path";
    }

    private static function authenticate(Request $request, \Closure $next): mixed
    {
        return $request->user() === null ? new \Illuminate\Http\JsonResponse([], 401) : $next($request);
    }
}
