// Tests that mails which are loaded together hold no more versions of campaigns and files than fit in memory.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { SEND_ALL } from '../../campaign/send-policy.ts'
import type { MailToSend } from '../../domain/mail/mail.ts'
import { type GivenFlow, givenFlow } from '../../test/support/given-flow.ts'
import { createPinnedVersions } from '../resume/pinned-versions.ts'
import { createLiveCampaigns } from '../track/live-campaigns.ts'
import { createContentRoom } from './content-room.ts'
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

test('files that several mails share count once, until the last of the mails has ended', async () => {
  const room = createContentRoom(100)
  const mail = { content: { email: { text: 'Hello' } } } as MailToSend
  const files = [{ content: 'x'.repeat(60), host: undefined }]
  const ends: (() => void)[] = []
  const hold = () => room.hold(mail, files, new Promise<void>((resolve) => ends.push(resolve)))
  const mails = [hold(), hold(), hold()]
  // 75 of 100; with other files there is no room.
  await room.hasRoom()
  const other = room.hold(mail, [...files], new Promise<void>((resolve) => ends.push(resolve)))
  let hasRoom = false
  const waiting = room.hasRoom().then(() => {
    hasRoom = true
  })
  ends[0]?.()
  ends[1]?.()
  await Promise.all(mails.slice(0, 2))
  expect(hasRoom).toBe(false)
  ends[2]?.()
  await waiting
  ends[3]?.()
  await Promise.all([...mails, other])
})
