// Tests that events are counted and sampled in memory, within limits of time and names, and written together.

import { expect, test } from 'vitest'
import type { CountedName } from '../../domain/event-names.ts'
import { createLog } from '../../lib/log.ts'
import { createLearnEvents } from './learn-events.ts'

function givenLearning({ tookMs = 0, fails = false } = {}) {
  const written: CountedName[][] = []
  let ms = 0
  const eventNames = {
    async add(names: CountedName[]) {
      if (fails) throw new Error('store closed')
      written.push(names)
    },
  } as Parameters<typeof createLearnEvents>[0]['eventNames']
  const now = () => {
    ms += tookMs / 2
    return ms
  }
  return { written, ...createLearnEvents({ eventNames, log: createLog('silent') }, now) }
}

test('all events are counted, the first hundred are read, then one in fifty', async () => {
  const { learn, settle, written } = givenLearning()
  for (let at = 1; at <= 1000; at++) learn(7, { name: 'order.paid', properties: { total: at } }, at)
  await settle()
  expect(written).toMatchObject([
    [{ environmentId: 7, events: 1000, sampled: 118, firstAt: 1, lastAt: 1000, isCut: false }],
  ])
  expect(written[0]?.[0]?.paths).toMatchObject([{ path: 'total', present: 118, types: { number: 118 }, lastAt: 1000 }])
})

test('counts are written once, and begin anew', async () => {
  const { learn, settle, written } = givenLearning()
  learn(7, { name: 'a', properties: { x: 1 } }, 1)
  await settle()
  await settle()
  learn(7, { name: 'a', properties: { y: '' } }, 2)
  learn(8, { name: 'a' }, 3)
  await settle()
  expect(
    written.map((names) =>
      names.map(({ environmentId, events, paths }) => [environmentId, events, paths.map(({ path }) => path)]),
    ),
  ).toEqual([
    [[7, 1, ['x']]],
    [
      [7, 1, ['y']],
      [8, 1, []],
    ],
  ])
})

test('when the time of an environment is over, events are counted and not read; another one has its own', async () => {
  const { learn, settle, written } = givenLearning({ tookMs: 4 })
  for (const environmentId of [1, 2])
    for (let at = 0; at < 20; at++) learn(environmentId, { name: 'a', properties: { x: 1 } }, at)
  await settle()
  expect(written[0]?.map(({ events, sampled }) => [events, sampled])).toEqual([
    [20, 5],
    [20, 5],
  ])
})

test('an environment with ever new names is bounded, and does not keep another one from learning', async () => {
  const { learn, settle, written } = givenLearning()
  for (let at = 0; at < 5000; at++) learn(1, { name: `order.${at}` }, at)
  learn(2, { name: 'a' }, 1)
  await settle()
  expect(written[0]?.filter(({ environmentId }) => environmentId === 1)).toHaveLength(200)
  expect(written[0]?.filter(({ environmentId }) => environmentId === 2)).toHaveLength(1)
})

test('a store that fails loses counts, and nothing else', async () => {
  const { learn, settle } = givenLearning({ fails: true })
  learn(1, { name: 'a' }, 1)
  await expect(settle()).resolves.toBeUndefined()
})
