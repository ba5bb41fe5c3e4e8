// Tests that events are counted and sampled in memory, within limits of values and names, and written together.

import { expect, test } from 'vitest'
import type { CountedName } from '../../domain/event-names.ts'
import { createLog } from '../../lib/log.ts'
import { createLearnEvents } from './learn-events.ts'

function givenLearning({ fails = false } = {}) {
  const written: CountedName[][] = []
  const eventNames = {
    async add(names: CountedName[]) {
      if (fails) throw new Error('store closed')
      written.push(names)
    },
  } as Parameters<typeof createLearnEvents>[0]['eventNames']
  return { written, ...createLearnEvents({ eventNames, log: createLog('silent') }) }
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

test('no id of a recipient is learned', async () => {
  const { learn, settle, written } = givenLearning()
  learn(7, { name: 'a', userIds: ['ada', 'bob'], properties: { likes: { ada: 1, bob: 2 } } }, 1)
  learn(7, { name: 'a', userId: 'ada', properties: { ada: 1 } }, 2)
  await settle()
  expect(written[0]?.[0]?.paths.map(({ path }) => path).sort()).toEqual(['*', 'likes', 'likes.*'])
})

test('when an environment has had its share of values, its events are counted and not read; another one has its own', async () => {
  const { learn, settle, written } = givenLearning()
  const properties = { list: Array.from({ length: 5 }, () => Array.from({ length: 5 }, () => [1, 2, 3, 4, 5])) }
  for (const environmentId of [1, 2])
    for (let at = 0; at < 500; at++) learn(environmentId, { name: `a${at % 10}`, properties }, at)
  await settle()
  const sampledOf = (of: number) =>
    written[0]?.filter(({ environmentId }) => environmentId === of).reduce((sum, { sampled }) => sum + sampled, 0)
  // An event has 156 values.
  expect([sampledOf(1), sampledOf(2)]).toEqual([257, 257])
  expect(written[0]?.reduce((sum, { events }) => sum + events, 0)).toBe(1000)
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
