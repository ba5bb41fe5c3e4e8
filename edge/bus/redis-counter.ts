// Counts calls for all nodes in Redis (contract section 1, `request/rate-limited`). Whoever asks has another counter for when it is away.

import { RateLimiterRedis } from 'rate-limiter-flexible'
import { type CallCounter, LIMIT_WINDOW_MS, type Usage } from '../domain/limits/call-limits.ts'
import { createRedisClient } from './redis.ts'

export interface RedisCounterOptions {
  url: string
  /** Names the store: two deployments may use one Redis. */
  realm: string
}

export interface RedisCounter extends CallCounter {
  add(key: string, points: number): Promise<Usage>
  close(): void
}

/** Comes at once. While Redis is out of reach every call rejects at once, and it reconnects by itself. */
export function createRedisCounter({ url, realm }: RedisCounterOptions): RedisCounter {
  const client = createRedisClient(url)
  let refused: Error | undefined
  // Without the number that it was told it counts on in number 0, among the keys of others.
  client.on('error', (error: Error & { command?: { name: string } }) => {
    if (error.command?.name === 'select') refused = error
  })
  client.on('close', () => {
    refused = undefined
  })
  const windows = new RateLimiterRedis({
    storeClient: client,
    keyPrefix: `nc1:${realm}:limit`,
    // Limits differ by environment: the caller compares, this only counts.
    points: Number.MAX_SAFE_INTEGER,
    duration: LIMIT_WINDOW_MS / 1000,
    rejectIfRedisNotReady: true,
  })
  return {
    async add(key, points) {
      if (refused !== undefined) throw refused
      const { consumedPoints, msBeforeNext } =
        points < 0 ? await windows.reward(key, -points) : await windows.penalty(key, points)
      return { used: Math.max(0, consumedPoints), resetMs: Math.max(0, msBeforeNext) }
    },
    close: () => client.disconnect(),
  }
}
