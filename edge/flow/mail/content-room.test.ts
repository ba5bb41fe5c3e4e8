// Tests that the contents of mails are read as there is room for them, and that no environment takes the room of all.

import { expect, test } from 'vitest'
import type { StepFile } from '../../domain/mail/attachment.ts'
import type { ClaimedMail, MailToSend } from '../../domain/mail/mail.ts'
import { createContentRoom } from './content-room.ts'

const MIB = 1024 * 1024
const claimsOf = (environmentId: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ environmentId, messageId: environmentId * 1000 + at }) as ClaimedMail)
const sizesOf = (claims: ClaimedMail[], bytes: number) => new Map(claims.map(({ messageId }) => [messageId, bytes]))

/** A room with `max` characters, and mails that stay under way until they are ended. */
function givenRoom(max: number, chars: number) {
  const room = createContentRoom(max)
  const parts: number[][] = []
  const ends = new Map<number, () => void>()
  const hold = ({ environmentId, messageId }: ClaimedMail, files: readonly StepFile[] = []) => {
    const mail = { environmentId, messageId, content: { email: { text: 'x'.repeat(chars) } } } as MailToSend
    return room.hold(mail, files, new Promise<void>((resolve) => ends.set(messageId, resolve)))
  }
  const readAll = (claims: ClaimedMail[], bytes = chars) =>
    room.readAll(claims, sizesOf(claims, bytes), async (part) => {
      parts.push(part.map(({ messageId }) => messageId))
      await null
      for (const one of part) void hold(one)
      return []
    })
  return { room, parts, hold, readAll, end: (id: number) => ends.get(id)?.() }
}

test('large mails are read a few at a time, and those of unknown size alone', async () => {
  const { room, parts, readAll } = givenRoom(100 * MIB, 1)
  await readAll(claimsOf(1, 4), MIB / 2)
  expect(parts.map((part) => part.length)).toEqual([2, 2])
  parts.length = 0
  await room.readAll(claimsOf(1, 3), undefined, async (part) => {
    parts.push(part.map(({ messageId }) => messageId))
    return []
  })
  expect(parts.map((part) => part.length)).toEqual([1, 1, 1])
})

test('mails that come later are read after all others', async () => {
  const { room, parts } = givenRoom(100, 1)
  const claims = claimsOf(1, 3)
  await room.readAll(claims, new Map(), async (part) => {
    parts.push(part.map(({ messageId }) => messageId))
    return part.slice(1)
  })
  expect(parts).toEqual([[1000, 1001, 1002], [1001, 1002], [1002]])
})

test('of many that wait for room, as many go on as there is room for', async () => {
  const { parts, readAll, end } = givenRoom(100, 30)
  // Each was claimed by itself.
  const all = claimsOf(1, 10).map((claim) => readAll([claim], 30))
  await expect.poll(() => parts).toEqual([[1000], [1001]])
  end(1000)
  await expect.poll(() => parts).toEqual([[1000], [1001], [1002]])
  for (let id = 1001; id < 1010; id++) {
    await expect.poll(() => parts.flat()).toContain(id)
    end(id)
  }
  await Promise.all(all)
})

test('an environment whose mails stay under way delays no other, in the same claim or in another', async () => {
  const { parts, readAll } = givenRoom(10 * MIB, MIB)
  void readAll([...claimsOf(1, 20), ...claimsOf(2, 1)])
  await expect.poll(() => parts.flat()).toContain(2000)
  expect(parts.flat().filter((id) => id < 2000)).toHaveLength(5)
  void readAll(claimsOf(3, 1))
  await expect.poll(() => parts.flat()).toContain(3000)
})

test('mails that find too many others waiting for room are left for later, and those that wait go on', async () => {
  const { parts, readAll, end } = givenRoom(100, 60)
  await readAll(claimsOf(1, 1))
  const [second, ...others] = claimsOf(1, 251).slice(1) as [ClaimedMail, ...ClaimedMail[]]
  void readAll([second])
  void readAll(others.slice(0, 199))
  expect(await readAll(others.slice(199))).toEqual({ left: others.slice(199), dueInMs: 5000 })
  end(1000)
  await expect.poll(() => parts).toEqual([[1000], [1001]])
})

test('files that several mails share count once, until the last of the mails has ended', async () => {
  const { parts, hold, readAll, end } = givenRoom(150, 5)
  const files = [{ content: 'x'.repeat(60), host: undefined }]
  const [first, second, third] = claimsOf(1, 3) as [ClaimedMail, ClaimedMail, ClaimedMail]
  const mails = [hold(first, files), hold(second, files), hold(third, files)]
  // 75 of 150 are held.
  const waiting = readAll([{ ...first, messageId: 1 }])
  end(1000)
  end(1001)
  await Promise.all(mails.slice(0, 2))
  // 65 of 150: an environment may have as much as it leaves free.
  await waiting
  expect(parts).toEqual([[1]])
  const other = hold({ ...first, messageId: 2 }, [...files])
  const next = readAll([{ ...first, messageId: 3 }])
  end(1)
  await expect.poll(() => parts).toEqual([[1]])
  end(1002)
  await next
  end(2)
  await Promise.all([...mails, other])
})

test('a room that is closed reads nothing more, and returns what is left to those who wait', async () => {
  const { room, parts, readAll } = givenRoom(100, 60)
  await readAll(claimsOf(1, 1))
  const waiting = readAll(claimsOf(1, 3))
  room.close()
  expect(await waiting).toEqual({ left: claimsOf(1, 3), dueInMs: 0 })
  expect((await readAll(claimsOf(2, 1))).left).toHaveLength(1)
  expect(parts).toEqual([[1000]])
})
