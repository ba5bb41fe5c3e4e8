// Tests that a frozen Redis costs pushes but no memory, and that users who missed some receive them later.
// PostgreSQL alone: SQLite uses no Redis.

import { expect, test, vi } from 'vitest'
import { createRedisBus } from '../../bus/redis.ts'
import { toPushedFrame } from '../../domain/delivery/pushed-frame.ts'
import { createLog } from '../../lib/log.ts'
import { reportCounts } from '../support/report-counts.ts'
import { startRedis } from '../support/servers.ts'
import { usedBytes } from '../support/used-memory.ts'

const MB = 1024 * 1024

test('pushes beyond 16 MB are dropped while Redis is frozen, and the loss is published when it answers again', async () => {
  const redis = await startRedis()
  const signals = { sent: 0, dropped: 0 }
  const open = (nodeId: string) =>
    createRedisBus({
      url: redis.url,
      nodeId,
      realm: 'flood',
      log: createLog('silent'),
      onSignal: (result) => void signals[result]++,
    })
  const [bus, other] = [open('a'), open('b')]
  await vi.waitFor(() => expect(bus.isUp() && other.isUp()).toBe(true), 20_000)
  const lost: string[] = []
  let receivedLocally = 0
  other.subscribe('pushes-lost', ({ nodeId }) => lost.push(nodeId))
  bus.subscribe('inbox-pushed', () => void receivedLocally++)
  const body = 'x'.repeat(10_000)
  const push = { epoch: 'e', from: 0, seq: 1, unread: 1, unopened: 1, changes: [], reset: false }
  redis.pause()
  const before = usedBytes()
  for (let userNo = 1; userNo <= 20_000; userNo++) {
    bus.publish('inbox-pushed', toPushedFrame({ userNo, ...push, epoch: body }, []))
  }
  expect(receivedLocally).toBe(20_000)
  expect(signals.dropped).toBeGreaterThan(10_000)
  // 200 MB were published.
  const growth = usedBytes() - before
  reportCounts('pushes to a frozen Redis', { growthMb: Math.round(growth / MB), publishedMb: 200 })
  expect(growth).toBeLessThan(50 * MB)
  redis.resume()
  await vi.waitFor(() => expect(lost).toContain('a'), 20_000)
  expect(signals.sent).toBeGreaterThan(500)
  await Promise.all([bus.close(), other.close()])
  await redis.remove()
})
