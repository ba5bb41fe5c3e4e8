// Tests frame sequences: each client receives every change once and in order, whatever happens during its handshake.

import { afterEach, expect, test, vi } from 'vitest'
import type { InboxFrame } from '../../../contract/frames.ts'
import { formatId } from '../../lib/id.ts'
import { type GivenRealtime, givenRealtime, type Listener } from '../support/given-realtime.ts'

let given: GivenRealtime
afterEach(() => given.close())

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 10 })

/** Returns numbers below a limit, the same for the same seed (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** Requires that every frame continues the one before it, and contains each seq of its range once. */
function expectContinuous(frames: InboxFrame[], since: number): void {
  let seq = since
  for (const frame of frames) {
    expect(frame.reset).toBeUndefined()
    expect(frame.from).toBe(seq)
    expect(frame.seq).toBeGreaterThanOrEqual(frame.from)
    const range = Array.from({ length: frame.seq - frame.from }, (_, index) => frame.from + index + 1)
    expect(frame.changes.map((change) => change.seq)).toEqual(range)
    seq = frame.seq
  }
}

/** More interleavings: `NC_FRAME_SEEDS=4`. */
const SEEDS = Array.from({ length: Number(process.env.NC_FRAME_SEEDS ?? 1) }, (_, at) => at + 1)

test.each(SEEDS)(
  'clients that connect during concurrent commits receive every change in order (seed %i)',
  async (seed) => {
    const below = createRandom(seed)
    // Slow reads, as over a network: pushes come before, between and after the reads of a handshake.
    given = await givenRealtime({
      aroundReads: async () => {
        for (let turns = below(12); turns > 0; turns--) await new Promise(setImmediate)
      },
    })
    const { token, epoch, owner } = await given.signIn('ann')
    const ids = (await given.addMessages('ann', 3)).map((id) => formatId('message', id))
    const clients: { listener: Listener; since: number }[] = []
    const commits: Promise<unknown>[] = []
    for (let round = 0; round < 200; round++) {
      const choice = below(10)
      const id = ids[below(ids.length)] ?? ''
      if (choice < 4) {
        commits.push(
          given.addMessages('ann', 1 + below(3)).then((added) => ids.push(...added.map((n) => formatId('message', n)))),
        )
      } else if (choice < 6) {
        commits.push(given.recordDelivery.recordOne(owner, { messageId: id, eventType: 'opened' }))
      } else if (choice < 8) {
        commits.push(given.changeInbox.changeMany(owner, [id], { archived: below(2) === 0 }))
      } else {
        const since = below((await given.stores.inboxes.head(owner)).seq + 1)
        clients.push({ listener: given.connect({ token, epoch, since }), since })
      }
      // A commit, a turn of the event loop, or neither: pushes and handshakes interleave in many ways.
      const pause = below(4)
      if (pause === 0) await commits.at(-1)
      if (pause === 1) await new Promise(setImmediate)
    }
    await Promise.all(commits)
    const { seq, unread, unopened } = await given.stores.inboxes.head(owner)
    expect(clients.length).toBeGreaterThan(10)
    for (const { listener, since } of clients) {
      await eventually(() => expect(listener.frames.at(-1)?.seq).toBe(seq))
      expectContinuous(listener.frames, since)
      expect(listener.frames.at(-1)).toMatchObject({ unread, unopened })
    }
    expect(clients.some(({ listener }) => listener.frames.length > 1)).toBe(true)
  },
)

test('pushes that are published in the wrong order arrive in the right one', async () => {
  given = await givenRealtime()
  const { token, epoch } = await given.signIn('ann')
  const listener = given.connect({ token, epoch, since: 0 })
  await eventually(() => expect(listener.frames).toHaveLength(1))
  const pushes: Parameters<typeof given.bus.publish<'inbox-pushed'>>[1][] = []
  const publish = given.bus.publish
  given.bus.publish = (topic, payload) =>
    void (topic === 'inbox-pushed' && pushes.push(payload as (typeof pushes)[number]))
  await given.addMessages('ann')
  await given.addMessages('ann', 2)
  await given.addMessages('ann')
  given.bus.publish = publish
  for (const payload of pushes.reverse()) publish('inbox-pushed', payload)
  await eventually(() => expect(listener.frames.at(-1)?.seq).toBe(4))
  expectContinuous(listener.frames, 0)
  // A repeated push is ignored.
  for (const payload of pushes) publish('inbox-pushed', payload)
  await given.addMessages('ann')
  await eventually(() => expect(listener.frames.at(-1)?.seq).toBe(5))
  expectContinuous(listener.frames, 0)
})

test('a first frame that would be too large is a reset, and the socket stays open', async () => {
  given = await givenRealtime()
  const { token, epoch } = await given.signIn('ann')
  for (let n = 0; n < 12; n++) await given.addMessages('ann', 1, { bodyChars: 60_000 })
  const listener = given.connect({ token, epoch, since: 0 })
  await eventually(() => expect(listener.frames).toHaveLength(1))
  expect(listener.frames[0]).toMatchObject({ reset: true, from: 12, seq: 12, changes: [] })
  await given.addMessages('ann')
  await eventually(() => expect(listener.frames[1]).toMatchObject({ from: 12, seq: 13 }))
})

test('clients of a drained server reconnect to the next one and receive what they missed', async () => {
  given = await givenRealtime()
  const { token, epoch } = await given.signIn('ann')
  const listeners = Array.from({ length: 20 }, () => given.connect({ token, epoch, since: 0 }))
  for (const listener of listeners) await eventually(() => expect(listener.frames).toHaveLength(1))
  for (const { client } of listeners) client.auth = { token, epoch, since: 0 }
  const restarted = given.restart()
  await given.addMessages('ann', 2)
  await restarted
  for (const { client, frames, disconnects } of listeners) {
    await eventually(() => {
      expect(client.connected).toBe(true)
      expect(frames.at(-1)?.seq).toBe(2)
    })
    expect(disconnects[0]).toBe('transport close')
  }
  await eventually(() => expect(given.gateway.size()).toBe(listeners.length))
})
