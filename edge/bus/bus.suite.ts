// What every bus does, run once per implementation (house section 5).

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Bus, BusTopic } from '../domain/bus.ts'

export interface BusUnderTest {
  bus: Bus
  /** Resolves when all that was published has been delivered. */
  delivered(): Promise<void>
  /** What listeners threw so far. */
  errors: { error: unknown; topic: BusTopic }[]
}

export function testBus(open: () => Promise<BusUnderTest>): void {
  let given: BusUnderTest
  beforeEach(async () => {
    given = await open()
  })
  afterEach(() => given.bus.close())

  test('a listener gets what is published on its topic, in order, and nothing else', async () => {
    const heard: number[] = []
    given.bus.subscribe('environment-changed', ({ environmentId }) => heard.push(environmentId))
    for (const environmentId of [3, 1, 2]) given.bus.publish('environment-changed', { environmentId })
    given.bus.publish('campaigns-changed', { environmentId: 9 })
    await given.delivered()
    expect(heard).toEqual([3, 1, 2])
  })

  test('all listeners of a topic get the same payload', async () => {
    const heard: number[][] = []
    given.bus.subscribe('sessions-ended', ({ sessionIds }) => heard.push(sessionIds))
    given.bus.subscribe('sessions-ended', ({ sessionIds }) => heard.push(sessionIds))
    given.bus.publish('sessions-ended', { sessionIds: [7, 8] })
    await given.delivered()
    expect(heard).toEqual([
      [7, 8],
      [7, 8],
    ])
  })

  test('a throwing listener breaks neither the publisher nor the other listeners, and is told of', async () => {
    const heard: string[] = []
    const fault = new Error('a listener that throws')
    given.bus.subscribe('environment-changed', () => heard.push('before'))
    given.bus.subscribe('environment-changed', () => {
      throw fault
    })
    given.bus.subscribe('environment-changed', () => heard.push('after'))
    given.bus.publish('environment-changed', { environmentId: 1 })
    await given.delivered()
    expect(heard).toEqual(['before', 'after'])
    expect(given.errors).toEqual([{ error: fault, topic: 'environment-changed' }])
  })

  test('an ended subscription hears nothing more, also when it ends while it is called', async () => {
    const heard: string[] = []
    const end = given.bus.subscribe('environment-changed', () => {
      heard.push('once')
      end()
    })
    given.bus.subscribe('environment-changed', () => heard.push('always'))
    given.bus.publish('environment-changed', { environmentId: 1 })
    given.bus.publish('environment-changed', { environmentId: 1 })
    await given.delivered()
    expect(heard).toEqual(['once', 'always', 'always'])
  })

  test('one function that subscribes twice has two subscriptions', async () => {
    let calls = 0
    const listener = () => void calls++
    const end = given.bus.subscribe('environment-changed', listener)
    given.bus.subscribe('environment-changed', listener)
    given.bus.publish('environment-changed', { environmentId: 1 })
    await given.delivered()
    expect(calls).toBe(2)
    end()
    given.bus.publish('environment-changed', { environmentId: 1 })
    await given.delivered()
    expect(calls).toBe(3)
  })

  test('after the close nothing is heard, and publishing is no error', async () => {
    let calls = 0
    given.bus.subscribe('environment-changed', () => void calls++)
    await given.bus.close()
    given.bus.publish('environment-changed', { environmentId: 1 })
    expect(calls).toBe(0)
  })
}
