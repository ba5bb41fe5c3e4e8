// Tests that a person who asks again and again for one campaign sends one mail an hour to each approver.

import { expect, test } from 'vitest'
import { createMemoryCounter } from '../../http/limits/memory-counter.ts'
import { createTellApprovers } from './tell-approvers.ts'

const HOUR = 60 * 60_000

function givenTell() {
  const clock = { at: HOUR, now: () => clock.at }
  const mailed: string[] = []
  const tell = createTellApprovers({
    people: { listByRole: async () => ['ann', 'bob', 'eve'].map((name) => ({ email: `${name}@b.example` })) },
    organisations: { findSettings: async () => undefined },
    log: { error: (...words: unknown[]) => mailed.push(String(words)) },
    counter: createMemoryCounter(clock),
    mail: ({ to, campaign }: { to: string; campaign: string }) => mailed.push(`${campaign} ${to}`),
    linkOf: () => 'https://n.example',
  } as never)
  const ask = (askedBy: string, campaign: string) =>
    tell({
      environment: { id: 1, organisationId: 1, name: 'prod', publishRole: 'admin' },
      campaign: { id: `cmp_${campaign}`, name: campaign },
      ...{ askedBy, note: undefined },
    } as never)
  return { clock, mailed, ask }
}

test('forty requests of one person for one campaign are one mail to each approver', async () => {
  const { clock, mailed, ask } = givenTell()
  for (let count = 0; count < 40; count++) await ask('ann@b.example', 'one')
  expect(mailed).toEqual(['one bob@b.example', 'one eve@b.example'])
  clock.at += HOUR - 1
  await ask('ann@b.example', 'one')
  expect(mailed).toHaveLength(2)
  clock.at += 1
  await ask('ann@b.example', 'one')
  expect(mailed).toHaveLength(4)
})

test('another person and another campaign are mailed at once', async () => {
  const { mailed, ask } = givenTell()
  await ask('ann@b.example', 'one')
  await ask('bob@b.example', 'one')
  await ask('ann@b.example', 'two')
  expect(mailed).toEqual([
    ...['one bob@b.example', 'one eve@b.example'],
    ...['one ann@b.example', 'one eve@b.example'],
    ...['two bob@b.example', 'two eve@b.example'],
  ])
})
