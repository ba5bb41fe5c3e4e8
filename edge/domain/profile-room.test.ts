// Tests how much large profiles pieces of work hold beside each other.

import { expect, test } from 'vitest'
import { createProfileRoom } from './profile-room.ts'
import { LARGE_TOGETHER_BYTES, type MayRead } from './user.ts'

const HALF = LARGE_TOGETHER_BYTES / 2

/** Holds what fits until it is told to end. @returns what was let */
function begin(room: ReturnType<typeof createProfileRoom>, sizes: number[]) {
  let end = () => {}
  const until = new Promise<void>((resolve) => {
    end = resolve
  })
  let allowed: boolean[] = []
  const done = room.hold(async (mayRead: MayRead) => {
    allowed = sizes.map(mayRead)
    await until
  })
  return {
    allowed,
    end() {
      end()
      return done
    },
  }
}

test('each reads its own share, all together the limit, and what has ended makes room', async () => {
  const room = createProfileRoom(2 * LARGE_TOGETHER_BYTES)
  const first = begin(room, [HALF, HALF, HALF])
  expect(first.allowed).toEqual([true, true, false])
  const second = begin(room, [HALF])
  expect(begin(room, [HALF, HALF]).allowed).toEqual([true, false])
  expect(begin(room, [HALF]).allowed).toEqual([false])
  const free = room.whenFree().then(() => 'free')
  await second.end()
  expect(await free).toBe('free')
  expect(begin(room, [HALF]).allowed).toEqual([true])
})

test('one that is larger than the limit is read alone, and the first of each piece of work where that must go on', () => {
  const alone = createProfileRoom(HALF)
  expect(begin(alone, [LARGE_TOGETHER_BYTES * 2]).allowed).toEqual([true])
  expect(begin(alone, [HALF]).allowed).toEqual([false])
  const goesOn = createProfileRoom(HALF, 'first')
  expect(begin(goesOn, [HALF, HALF]).allowed).toEqual([true, false])
  expect(begin(goesOn, [HALF, HALF]).allowed).toEqual([true, false])
})

test('nothing is waited for where nothing is held', async () => {
  await createProfileRoom(HALF).whenFree()
})
