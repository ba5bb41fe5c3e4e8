// Counts calls for all nodes in Redis, for `request/rate-limited`. The caller has another counter for when Redis is unreachable.

import { RateLimiterRedis } from 'rate-limiter-flexible'
import { type CallCounter, LIMIT_WINDOW_MS, type Usage } from '../domain/limits/call-limits.ts'
import { createRedisClient } from './redis.ts'

export interface RedisCounterOptions {
  url: string
  /** Names the store: two deployments may use one Redis. */
  realm: string
}

export interface RedisCounter extends CallCounter {
  add(key: string, points: number, windowMs?: number): Promise<Usage>
  close(): void
}

/** Creates the counter without waiting for Redis. While Redis is unreachable every call rejects at once; it reconnects by itself. */
export function createRedisCounter({ url, realm }: RedisCounterOptions): RedisCounter {
  const client = createRedisClient(url)
  let refused: Error | undefined
  // Where Redis refuses the database number the client stays in number 0, among the keys of others.
  client.on('error', (error: Error & { command?: { name: string } }) => {
    if (error.command?.name === 'select') refused = error
  })
  client.on('close', () => {
    refused = undefined
  })
  const byLength = new Map<number, RateLimiterRedis>()
  function windowsOf(windowMs: number): RateLimiterRedis {
    const known = byLength.get(windowMs)
    if (known !== undefined) return known
    const windows = new RateLimiterRedis({
      storeClient: client,
      keyPrefix: `nc1:${realm}:limit`,
      // The caller compares with the limit, which differs by environment.
      points: Number.MAX_SAFE_INTEGER,
      duration: windowMs / 1000,
      rejectIfRedisNotReady: true,
    })
    byLength.set(windowMs, windows)
    return windows
  }
  return {
    async add(key, points, windowMs = LIMIT_WINDOW_MS) {
      if (refused !== undefined) throw refused
      const windows = windowsOf(windowMs)
      const { consumedPoints, msBeforeNext } =
        points < 0 ? await windows.reward(key, -points) : await windows.penalty(key, points)
      return { used: Math.max(0, consumedPoints), resetMs: Math.max(0, msBeforeNext) }
    },
    close: () => client.disconnect(),
  }
}
