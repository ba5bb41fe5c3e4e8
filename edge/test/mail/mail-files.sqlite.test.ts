// Tests the files of the mailbox, which servers on SQLite alone write: each goes with the row of its mail.

import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import { givenEdge, inboxCampaign } from '../support/given.ts'
import { type GivenMails, givenMails } from '../support/given-mails.ts'
import { givenNc } from '../support/given-nc.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const MAIL = { id: 'mail', type: 'email', subject: 'Paid', markdown: 'Paid' }

let mails: GivenMails
let folder: string
beforeAll(async () => {
  mails = await givenMails()
  folder = join(mails.edge.dataDir, 'mails')
  await mails.publishMail('order.paid', { markdown: 'Paid' })
})
afterAll(() => mails.edge.stop())

const fileOf = ({ messageId }: { messageId: string }) => `${messageId}.eml`
const list = async () => (await readdir(folder)).sort()

test('an erased user has no file any more when the erasure is answered', async () => {
  const kept = await mails.sendMail('order.paid')
  const erased = await mails.sendMail('order.paid')
  expect(await list()).toEqual([kept, erased].map(fileOf).sort())
  const { key } = mails
  expect((await mails.edge.call('DELETE', `/v1/users/${erased.userId}`, { key })).status).toBe(200)
  expect(await list()).toEqual([fileOf(kept)])
  await mails.edge.call('DELETE', `/v1/users/${kept.userId}`, { key })
  expect(await list()).toEqual([])
})

test('a user whom the command line erases has no file any more', async () => {
  const kept = await mails.sendMail('order.paid')
  const erased = await mails.sendMail('order.paid')
  const { nc } = givenNc(mails.edge.settings)
  const { id } = mails.edge.demo.environments.dev
  expect((await nc(`user erase --user ${erased.userId} --env ${id} --yes`)).err).toBe('')
  expect(await list()).toEqual([fileOf(kept)])
})

test('a start removes files whose mails are gone, and nothing else', async () => {
  const kept = await mails.sendMail('order.paid')
  const before = await list()
  const foreign = ['notes.eml', 'msg_0.eml', `${kept.messageId}.txt`, `${kept.messageId.toUpperCase()}.eml`]
  const orphans = ['msg_00000000001.eml', `${kept.messageId.slice(0, -1)}z.eml`]
  for (const name of [...foreign, ...orphans]) await writeFile(join(folder, name), 'x')
  await mkdir(join(folder, 'msg_00000000002.eml'))
  await mails.edge.restart()
  await expect.poll(list).toEqual([...before, ...foreign, 'msg_00000000002.eml'].sort())
})

test('what retention removes has no file any more, by the command line and by the server', async () => {
  // The command line has the clock of the machine.
  const clock = { at: Date.now() - 100 * DAY_MS, now: () => clock.at }
  const given = await givenEdge({}, { clock })
  const own = join(given.dataDir, 'mails')
  const send = async (userId: string) => {
    await given.track({ name: 'order.paid', userId, user: { email: `${userId}@example.org` } })
    await expect.poll(() => readdir(own).catch(() => [])).toHaveLength(1)
    const key = given.demo.environments.dev.sdkSecretKey
    const find = () => given.call<Page<{ status: string }>>('GET', `/v1/deliveries?userId=${userId}`, { key })
    await expect.poll(async () => (await find()).body.data[0]?.status).toBe('sent')
  }
  try {
    await given.publish(inboxCampaign('order', 'order.paid', { steps: [MAIL] }))
    await send('u1')
    expect((await givenNc(given.settings).nc('retention run')).code).toBe(0)
    expect(await readdir(own)).toEqual([])
    await send('u2')
    clock.at = Date.now()
    await expect.poll(() => readdir(own)).toEqual([])
  } finally {
    await given.stop()
  }
})
