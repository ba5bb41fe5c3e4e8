// Tests that the files of the mailbox are those of its rows, beyond its limit and while a user is erased, too.

import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OutgoingMail } from '../domain/mail/mail-provider.ts'
import { type Keeping, type KeptMail, MAILBOX_SIZE, type Mailbox } from '../domain/mail/mailbox.ts'
import { formatId } from '../lib/id.ts'
import { openSqliteStores } from '../stores/sqlite/stores.ts'
import { givenStore, write } from '../stores/test/given.ts'
import { mailTrackPlan } from '../stores/test/given-mail.ts'
import { createMailFiles } from './mail-files.ts'
import { createMailboxSender } from './mailbox-sender.ts'

const given = givenStore(openSqliteStores)
let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'mail-files-')), 'mails')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

/** Queues mails of users. @returns their messages */
async function givenMessages(environmentId: number, userIds: string[]): Promise<number[]> {
  const plan = mailTrackPlan(given, { environmentId, userIds })
  await write(given, plan)
  return plan.messages.map(({ id }) => id)
}

function givenSender(environmentId: number, mailbox: Pick<Mailbox, 'keep' | 'findKept'> = given.stores.mailbox) {
  const mailFiles = createMailFiles({ databaseUrl: null, dataDir: join(folder, '..') }, mailbox)
  const sender = createMailboxSender({ mailbox, mailFiles, clock: given }, environmentId)
  return { mailFiles, send: async (id: number) => (await sender.send(mailOf(id))).outcome }
}

const nameOf = (id: number) => `${formatId('message', id)}.eml`
const list = async () => (await readdir(folder)).sort()

function mailOf(id: number): OutgoingMail {
  const messageId = formatId('message', id)
  return {
    messageId,
    idempotencyKey: messageId,
    from: { name: null, address: 'shop@example.com' },
    to: { name: null, address: 'ada@example.org' },
    replyTo: null,
    subject: 'Hello',
    html: '<p>Hi</p>',
    text: 'Hi',
    headers: {},
    tracking: { opens: false, clicks: false },
  }
}

test('more mails than the mailbox holds leave as many files as rows', async () => {
  const environmentId = given.environmentId()
  const userIds = Array.from({ length: MAILBOX_SIZE + 3 }, (_, at) => `u${at}`)
  const ids = await givenMessages(environmentId, userIds)
  const { send } = givenSender(environmentId)
  for (const id of ids) expect(await send(id)).toBe('accepted')
  expect(await list()).toEqual(ids.slice(3).map(nameOf).sort())
})

test('a mail that is handed over again has the file of its row', async () => {
  const environmentId = given.environmentId()
  const [id = 0] = await givenMessages(environmentId, ['u1'])
  const { send } = givenSender(environmentId)
  await send(id)
  // The process ended between the row and the file.
  await unlink(join(folder, nameOf(id)))
  expect(await send(id)).toBe('accepted')
  const row = await given.stores.mailbox.find(environmentId, id)
  expect(await readFile(join(folder, nameOf(id)), 'utf8')).toBe(row?.eml)
})

test('a mail whose user is erased before or between row and file leaves none', async () => {
  const environmentId = given.environmentId()
  const [first = 0, second = 0, third = 0] = await givenMessages(environmentId, ['first', 'second', 'third'])
  const { stores } = given
  const erase = (userId: string) => stores.users.erase(environmentId, userId, given.now())
  const mailbox = {
    findKept: stores.mailbox.findKept,
    async keep(mail: KeptMail): Promise<Keeping> {
      const keeping = await stores.mailbox.keep(mail)
      if (mail.messageId === second) await erase('second')
      return keeping
    },
  }
  const { send, mailFiles } = givenSender(environmentId, mailbox)
  await send(third)
  await erase('first')
  await send(first)
  await send(second)
  expect(await list()).toEqual([nameOf(third)])
  await erase('third')
  await mailFiles.sweep()
  expect(await list()).toEqual([])
})

test('callers of a sweep under way share the next one, which sees what they removed', async () => {
  const environmentId = given.environmentId()
  const ids = await givenMessages(environmentId, ['u1', 'u2'])
  const { stores } = given
  let goOn = () => {}
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const goesOn = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let asked = 0
  const { send } = givenSender(environmentId)
  for (const id of ids) await send(id)
  const mailFiles = createMailFiles(
    { databaseUrl: null, dataDir: join(folder, '..') },
    {
      async findKept(messageIds) {
        const kept = await stores.mailbox.findKept(messageIds)
        if (asked++ === 0) {
          begin()
          await goesOn
        }
        return kept
      },
    },
  )
  const first = mailFiles.sweep()
  await begun
  await stores.users.erase(environmentId, 'u1', given.now())
  const later = [mailFiles.sweep(), mailFiles.sweep()]
  goOn()
  await first
  expect(await list()).toHaveLength(2)
  await Promise.all(later)
  expect(await list()).toEqual([nameOf(ids[1] ?? 0)])
  expect(asked).toBe(2)
})
