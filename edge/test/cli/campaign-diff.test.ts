// Tests `nc campaign diff`: versions and drafts compared step by step.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
beforeAll(async () => {
  given = await givenEdge()
  cli = givenNc(given.settings)
})
afterAll(() => given.stop())

const inboxStep = (id: string, title: string) => ({ id, type: 'inbox', title })
const branchOf = (steps: object[]) => ({ id: 'size', type: 'branch', branches: [{ key: 'big', when: 'true', steps }] })

test('a step that is inserted first does not change the steps after it, and each difference is named by step ids', async () => {
  const key = given.demo.environments.dev.sdkSecretKey
  const env = given.demo.environments.dev.id
  const write = (id: string, steps: object[]) =>
    given.call('PUT', `/v1/campaigns/${id}`, { key, body: inboxCampaign('ship', 'ship.done', { steps }) })
  const diff = async (args = '') =>
    (await cli.json<{ difference: string[] }>(`campaign diff --env ${env} --key ship ${args}`)).difference

  const id = await given.publish(
    inboxCampaign('ship', 'ship.done', { steps: [inboxStep('a', 'One'), branchOf([inboxStep('b', 'Two')])] }),
  )
  expect(await diff()).toEqual([])
  await write(id, [inboxStep('new', 'Zero'), inboxStep('a', 'One'), branchOf([inboxStep('b', 'Changed')])])
  expect(await diff()).toEqual([
    '~ steps.order: "a, size" → "new, a, size"',
    '~ steps.size.branches.big.steps.b.title: "Two" → "Changed"',
    '+ steps.new.id: "new"',
    '+ steps.new.type: "inbox"',
    '+ steps.new.title: "Zero"',
  ])
  await given.call('POST', `/v1/campaigns/${id}/publish`, { key })
  await write(id, [inboxStep('a', 'One')])
  expect(await diff('--from 1 --to 2')).toHaveLength(5)
  expect((await diff('--from 2 --to draft')).filter((line) => line.startsWith('- steps.new'))).toHaveLength(3)
  expect((await cli.nc(`campaign diff --env ${env} --key ship --from 1`)).out).toContain('ship: version 1 → the draft')
  expect((await cli.nc(`campaign diff --env ${env} --key ship --from 9`)).code).toBe(1)
  expect((await cli.nc(`campaign diff --env ${env} --key ship --from latest`)).code).toBe(2)
})
