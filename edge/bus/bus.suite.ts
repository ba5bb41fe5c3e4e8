// Tests the behaviour of every bus, once per implementation. On a bus of several nodes one publishes and another receives.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Bus, BusTopic } from '../domain/bus.ts'
import { toPushedFrame } from '../domain/delivery/pushed-frame.ts'
import type { InboxPush } from '../domain/plan.ts'

export interface BusUnderTest {
  bus: Bus
  /** The bus of another node; the same bus when there is only one node. */
  other: Bus
  /** Errors that listeners of either bus threw. */
  errors: { error: unknown; topic: BusTopic }[]
}

const push = (userNo: number, seq: number): InboxPush => ({
  userNo,
  epoch: 'e',
  from: seq - 1,
  seq,
  unread: 2,
  unopened: 3,
  changes: [{ seq, op: 'update', messageId: 5, patch: { readAt: '2026-01-01T00:00:00.000Z' } }],
  reset: false,
})

export function testBus(open: () => Promise<BusUnderTest>): void {
  let given: BusUnderTest
  beforeEach(async () => {
    given = await open()
  })
  afterEach(() => Promise.all([given.bus.close(), given.other.close()]))
  const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 5 })

  test('a listener gets what is published on its topic, in order, and nothing else', async () => {
    const received: number[] = []
    given.other.subscribe('environment-changed', ({ environmentId }) => received.push(environmentId))
    for (const environmentId of [3, 1, 2]) {
      given.bus.publish('campaigns-changed', { environmentId: 9 })
      given.bus.publish('environment-changed', { environmentId })
    }
    await until(() => expect(received).toEqual([3, 1, 2]))
  })

  test('listeners of the publishing node are called at once, and once', async () => {
    const received: number[] = []
    given.bus.subscribe('environment-changed', ({ environmentId }) => received.push(environmentId))
    given.bus.publish('environment-changed', { environmentId: 7 })
    expect(received).toEqual([7])
    const elsewhere: number[] = []
    given.other.subscribe('environment-changed', ({ environmentId }) => elsewhere.push(environmentId))
    given.bus.publish('environment-changed', { environmentId: 8 })
    await until(() => expect(elsewhere.at(-1)).toBe(8))
    expect(received).toEqual([7, 8])
  })

  test('a payload of publishHere stays on its node', async () => {
    const received: number[] = []
    const elsewhere: number[] = []
    given.bus.subscribe('environment-changed', ({ environmentId }) => received.push(environmentId))
    given.bus.publishHere('environment-changed', { environmentId: 1 })
    expect(received).toEqual([1])
    given.other.subscribe('environment-changed', ({ environmentId }) => elsewhere.push(environmentId))
    given.bus.publishHere('environment-changed', { environmentId: 2 })
    given.bus.publish('environment-changed', { environmentId: 3 })
    await until(() => expect(elsewhere.at(-1)).toBe(3))
    expect(elsewhere).toEqual(given.bus === given.other ? [2, 3] : [3])
  })

  test('all listeners of a topic get the same payload', async () => {
    const received: number[][] = []
    given.other.subscribe('sessions-ended', ({ sessionIds }) => received.push(sessionIds))
    given.other.subscribe('sessions-ended', ({ sessionIds }) => received.push(sessionIds))
    given.bus.publish('sessions-ended', { sessionIds: [7, 8] })
    const both = [
      [7, 8],
      [7, 8],
    ]
    await until(() => expect(received).toEqual(both))
  })

  test('pushes of a followed user arrive whole, from the first one after the follow', async () => {
    const pushed = toPushedFrame(push(42, 7), [])
    const received: { span: number[]; frame: unknown; text: string }[] = []
    given.other.subscribe('inbox-pushed', ({ userNo, from, seq, frame, text }) => {
      received.push({ span: [userNo, from, seq], frame: frame(), text: text() })
    })
    await given.other.follow(42)
    given.bus.publish('inbox-pushed', pushed)
    await until(() => expect(received).toEqual([{ span: [42, 6, 7], frame: pushed.frame(), text: pushed.text() }]))
  })

  test('many users are followed at once, and each push arrives for its user', async () => {
    const received: number[] = []
    given.other.subscribe('inbox-pushed', ({ userNo }) => received.push(userNo))
    await Promise.all(Array.from({ length: 2500 }, (_, index) => given.other.follow(index + 1)))
    for (const userNo of [1, 2500, 1000, 1001]) given.bus.publish('inbox-pushed', toPushedFrame(push(userNo, 1), []))
    await until(() => expect(received).toEqual([1, 2500, 1000, 1001]))
  })

  test('pushes of a user who leaves and returns arrive', async () => {
    const received: number[] = []
    given.other.subscribe('inbox-pushed', ({ seq }) => received.push(seq))
    await given.other.follow(1)
    given.other.unfollow(1)
    given.other.unfollow(1)
    await given.other.follow(1)
    given.bus.publish('inbox-pushed', toPushedFrame(push(1, 3), []))
    await until(() => expect(received).toEqual([3]))
  })

  test('a throwing listener breaks neither the publisher nor the other listeners, and is reported', async () => {
    const received: string[] = []
    const fault = new Error('a listener that throws')
    given.other.subscribe('environment-changed', () => received.push('before'))
    given.other.subscribe('environment-changed', () => {
      throw fault
    })
    given.other.subscribe('environment-changed', () => received.push('after'))
    given.bus.publish('environment-changed', { environmentId: 1 })
    await until(() => expect(received).toEqual(['before', 'after']))
    expect(given.errors).toEqual([{ error: fault, topic: 'environment-changed' }])
  })

  test('an ended subscription gets nothing more, also when it ends during its call', async () => {
    const received: string[] = []
    const end = given.other.subscribe('environment-changed', () => {
      received.push('once')
      end()
    })
    given.other.subscribe('environment-changed', () => received.push('always'))
    given.bus.publish('environment-changed', { environmentId: 1 })
    given.bus.publish('environment-changed', { environmentId: 1 })
    await until(() => expect(received).toEqual(['once', 'always', 'always']))
  })

  test('one function that subscribes twice has two subscriptions', async () => {
    let calls = 0
    const listener = () => void calls++
    const end = given.other.subscribe('environment-changed', listener)
    given.other.subscribe('environment-changed', listener)
    given.bus.publish('environment-changed', { environmentId: 1 })
    await until(() => expect(calls).toBe(2))
    end()
    given.bus.publish('environment-changed', { environmentId: 1 })
    await until(() => expect(calls).toBe(3))
  })

  test('after the close no listener is called, and publishing and following are no error', async () => {
    let calls = 0
    given.bus.subscribe('environment-changed', () => void calls++)
    await given.bus.close()
    given.bus.publish('environment-changed', { environmentId: 1 })
    await given.bus.follow(1)
    expect(calls).toBe(0)
  })
}
