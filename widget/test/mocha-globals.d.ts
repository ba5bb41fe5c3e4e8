// The words of the browser tests (mocha's "tdd" interface, as web-test-runner brings it).

declare function suite(name: string, tests: () => void): void
declare function test(name: string, act: () => void | Promise<void>): { timeout(ms: number): void }
declare function setup(act: () => void | Promise<void>): void
declare function teardown(act: () => void | Promise<void>): void
