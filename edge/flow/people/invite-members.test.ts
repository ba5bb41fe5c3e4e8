// Tests what an organisation reads of an invitation's mail when the process that sent it has ended.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { createIdSource } from '../../lib/id.ts'
import { type EngineStores, givenStores } from '../../test/support/engine-stores.ts'
import { LONGEST_MS } from '../mail/send-account-mails.ts'
import { createInviteMembers } from './invite-members.ts'

const ACTING = { role: 'owner', personId: null, by: { actor: 'cli', who: 'test' } } as const

let now: number
const clock = { now: () => now }
let given: EngineStores
beforeEach(async () => {
  now = Date.UTC(2026, 0, 1)
  given = await givenStores(clock)
})
afterEach(() => given.close())

test('a mail that is being sent for longer than its attempts take may have been sent', async () => {
  const { stores } = given
  await stores.organisations.create({
    id: 1,
    name: 'Test',
    region: 'eu',
    onboardedAt: now,
    retentionDays: 90,
    createdAt: now,
  })
  const invite = createInviteMembers({
    oneTimeLinks: stores.oneTimeLinks,
    ids: { invitation: createIdSource(clock, 0) },
    clock,
    linkOf: (token) => `https://nc.example/#${token}`,
    // That of a process which ends before the mail server answers.
    mail: () => new Promise(() => {}),
  })
  const { invitation } = await invite.invite(1, { email: 'ada@example.com', role: 'viewer' }, ACTING)
  const read = async () => (await invite.list(1, { limit: 10 })).invitations[0]?.mail
  expect(await read()).toEqual({ state: 'sending', at: now, error: null })
  const at = now
  now += LONGEST_MS - 1
  expect(await read()).toMatchObject({ state: 'sending' })
  now += 1
  expect(await read()).toMatchObject({ state: 'unknown', at, error: expect.stringContaining('stopped') })
  await stores.oneTimeLinks.recordMail(invitation.id, { state: 'sent', at: now, error: null })
  expect(await read()).toMatchObject({ state: 'sent' })
})
