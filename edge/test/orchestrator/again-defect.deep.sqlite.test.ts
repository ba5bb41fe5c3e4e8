// Tests that an item which fails by a defect is refused, and that the items behind it run. SQLite alone: a version is changed in its file.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgainJobAnswer, BegunAgainAnswer } from '../../../contract/resources/again-job.ts'
import { parseId } from '../../lib/id.ts'
import { spoilVersions } from '../../stores/test/spoil-versions.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'

let given: GivenEdge
beforeAll(async () => {
  given = await givenEdge()
})
afterAll(() => given?.stop())

const call = <T>(method: string, path: string, body?: object) =>
  given.call<T>(method, path, { key: given.demo.environments.dev.sdkSecretKey, ...(body && { body }) })

test('runs of a version that cannot be compiled are refused, and the others of the job run', async () => {
  const broken = { id: 'broken', type: 'inbox', title: '{% for i in (1..100000) %}{{ i }}{% endfor %}' }
  const mail = { id: 'mail', type: 'email', subject: 'Hello', html: '<p>Hello</p>' }
  const definition = { key: 'two', name: 'two', trigger: { event: 'two' } }
  const id = await given.publish({ ...definition, steps: [broken, mail] })
  await given.track({ name: 'two', userId: 'ada' })
  await call('PUT', `/v1/campaigns/${id}`, { ...definition, steps: [broken] })
  expect((await call('POST', `/v1/campaigns/${id}/publish`)).status).toBe(200)
  await given.track({ name: 'two', userId: 'bob' })
  await given.edge.close()
  await spoilVersions(given.dataDir, parseId('campaign', id) ?? 0)
  await given.restart()
  const input = { kind: 'runs', filter: { campaignId: id, status: 'failed' }, version: 'then', pace: 6000 }
  const { body } = await call<BegunAgainAnswer>('POST', '/v1/again', input)
  // Both records of the first run, and the one of the second.
  await expect
    .poll(async () => (await call<AgainJobAnswer>('GET', `/v1/again/${body.job?.jobId}`)).body)
    .toMatchObject({ state: 'done', total: 3, done: 3, made: 1, refused: 2 })
})
