// Tests that mails which are loaded together hold no more versions of campaigns and files than fit in memory.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { SEND_ALL } from '../../campaign/send-policy.ts'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'
import { createPinnedVersions } from '../resume/pinned-versions.ts'
import { createLiveCampaigns } from '../track/live-campaigns.ts'
import { loadMails } from './load-mails.ts'

let flow: GivenFlow
beforeEach(async () => {
  flow = await givenFlow()
})
afterEach(() => flow.close())

test('mails of large versions come in turns, each once', async () => {
  const { stores, clock, bus } = flow
  const content = 'A'.repeat(3_000_000)
  const mail = {
    id: 'm',
    type: 'email',
    subject: 'Hello',
    markdown: 'Hello',
    attachments: [{ filename: 'a.pdf', content }],
  }
  await flow.stores.users.upsert(flow.environment.id, 'ada', { email: 'ada@example.com' }, 1)
  for (let at = 0; at < 5; at++) {
    await flow.publish({ key: `k${at}`, trigger: { event: `began_${at}` }, steps: [mail] })
    await flow.track({ name: `began_${at}`, userId: 'ada' })
  }
  const deps = {
    ...stores,
    pinned: createPinnedVersions(stores.campaigns),
    sendPolicies: {
      findMany: async (of: readonly object[]) => of.map(() => SEND_ALL),
      findForTest: async () => SEND_ALL,
    },
    live: createLiveCampaigns({ ...stores, bus, clock }),
  }
  const claims = await stores.mails.claim(clock.at, 60_000, 500)
  expect(claims).toHaveLength(5)
  const first = await loadMails(deps, claims)
  expect([first.loaded.length, first.later.length]).toEqual([3, 2])
  const second = await loadMails(deps, first.later)
  expect(second.later).toEqual([])
  const ids = [...first.loaded, ...second.loaded].map(({ claim }) => claim.messageId)
  expect(ids.sort()).toEqual(claims.map(({ messageId }) => messageId).sort())
})
