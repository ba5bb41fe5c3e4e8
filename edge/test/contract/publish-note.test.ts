// Tests that a version keeps who published it and the note that they gave.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

interface Version {
  version: number
  publishedBy: string | null
  note: string | null
}

let given: GivenEdge
let key: string
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(() => given.stop())

test('each version answers its note and its publisher; a note is optional, and bounded', async () => {
  const id = await given.publish(inboxCampaign('noted', 'noted.sent'))
  const publish = (body: object) =>
    given.call<{ code?: string; details?: { path: string }[] }>('POST', `/v1/campaigns/${id}/publish`, { key, body })
  expect((await publish({ note: '  Shorter title, for Zoë ' })).status).toBe(200)
  expect((await publish({ note: '   ' })).status).toBe(200)
  expect((await publish({ note: 'x'.repeat(501) })).body).toMatchObject({
    code: 'request/invalid-body',
    details: [{ path: 'note' }],
  })
  const { body } = await given.call<Page<Version>>('GET', `/v1/campaigns/${id}/versions`, { key })
  const by = expect.stringMatching(/^sec_/)
  expect(body.data.map(({ version, note, publishedBy }) => [version, note, publishedBy])).toEqual([
    [3, null, by],
    [2, 'Shorter title, for Zoë', by],
    [1, null, by],
  ])
  const { body: second } = await given.call<Version>('GET', `/v1/campaigns/${id}/versions/2`, { key })
  expect(second).toMatchObject({ note: 'Shorter title, for Zoë' })
})

test('the command line gives a note, too', async () => {
  const id = await given.publish(inboxCampaign('by-command', 'command.sent'))
  const { id: env } = given.demo.environments.dev
  const args = ['campaign', 'publish', '--env', env, '--key', 'by-command', '--note', 'From the release 4.2', '--json']
  expect(await givenNc(given.settings).nc(args)).toMatchObject({ code: 0 })
  const { body } = await given.call<Version>('GET', `/v1/campaigns/${id}/versions/2`, { key })
  expect(body).toMatchObject({ note: 'From the release 4.2', publishedBy: expect.any(String) })
})
