// Tests which actions a campaign offers, and what they ask for.

import { expect, test } from 'vitest'
import type { CampaignAnswer, PendingPublish } from '../../../contract/resources/campaign.ts'
import { actionsOf, parseProperties, questionOf } from './campaign-actions.ts'

const given = (status: CampaignAnswer['status'], currentVersion: number | null = 1) =>
  ({ key: 'order-shipped', name: 'Order shipped', status, currentVersion }) as CampaignAnswer
const asked = (state: PendingPublish['state']) => ({ ...given('active'), pendingPublish: { state } }) as CampaignAnswer

test.each([
  [given('draft', null), true, ['publish', 'archive']],
  [given('active'), false, ['pause', 'archive']],
  [given('active'), true, ['publish', 'pause', 'archive']],
  [given('paused'), false, ['resume', 'archive']],
  [given('archived'), true, []],
  [asked('waiting'), true, ['pause', 'archive']],
  [asked('changed'), true, ['publish', 'pause', 'archive']],
])('%j with changes %j offers %j', (campaign, hasChanges, actions) => {
  expect(actionsOf(campaign, hasChanges)).toEqual(actions)
})

test('archiving wants the key typed, and passes on whether waiting runs finish', async () => {
  const queries: object[] = []
  const question = questionOf('archive', given('active'), 'ada@b.example', async (query) => void queries.push(query))
  expect(question).toMatchObject({ typed: 'order-shipped', isDangerous: true })
  const drained = new FormData()
  drained.set('drain', 'true')
  await question.run(new FormData())
  await question.run(drained)
  expect(queries).toEqual([{}, { drain: 'true' }])
  expect(questionOf('pause', given('active'), 'ada@b.example', async () => {}).typed).toBeUndefined()
})

test('the properties of a test are a JSON object', () => {
  expect(parseProperties('{"a":1}')).toEqual({ a: 1 })
  expect(parseProperties('  ')).toEqual({})
  for (const text of ['[]', 'null', '1', '{']) expect(() => parseProperties(text), text).toThrow('no JSON object')
})
