// Tests many sockets: none costs its own query, and no broadcast blocks the event loop.
// Counts statements and written sockets, so that a busy machine changes nothing.

import { afterEach, expect, test } from 'vitest'
import { toPushedFrame } from '../../domain/delivery/pushed-frame.ts'
import { REALTIME_PATH } from '../../realtime/gateway.ts'
import { type GivenRealtime, givenRealtime } from '../support/given-realtime.ts'
import { openRawSocket, type RawSocket, type SocketSession } from '../support/raw-socket.ts'
import { reportCounts } from '../support/report-counts.ts'

const MISSED_EACH = 3
/** Copies of the values in edge/realtime/catch-up.ts and frame-stream.ts. */
const PART_CHANGES = 250
const SOCKETS_PER_TURN = 250

let given: GivenRealtime
let open: RawSocket[] = []
afterEach(async () => {
  for (const { net } of open.splice(0)) net.destroy()
  await expect.poll(given.gateway.size).toBe(0)
  await given.close()
})

/** Blocks the gateway's reads until `open`, so that all later handshakes wait. */
function givenGate() {
  let release = () => {}
  let gate = Promise.resolve()
  return {
    pass: () => gate,
    close() {
      gate = new Promise((resolve) => {
        release = resolve
      })
    },
    open: () => release(),
  }
}

async function signInMany(count: number, from = 0): Promise<SocketSession[]> {
  const users = await Promise.all(Array.from({ length: count }, (_, at) => given.signIn(`many_${from + at}`)))
  const realtime = { url: `http://127.0.0.1:${given.port}`, path: REALTIME_PATH }
  return users.map(({ token, epoch }) => ({ sessionToken: token, realtime, inbox: { epoch } }))
}

/** Connects all before the gateway has read anything. @returns the number of read statements */
async function connectAll(gate: ReturnType<typeof givenGate>, sessions: SocketSession[]): Promise<number> {
  const before = given.reads()
  gate.close()
  const opening = Promise.all(sessions.map((session) => openRawSocket(session, 0)))
  await expect.poll(given.gateway.size).toBe(sessions.length)
  // The last handshakes have started their read by then.
  for (let turns = 0; turns < 10; turns += 1) await new Promise(setImmediate)
  gate.open()
  open = await opening
  return given.reads() - before
}

async function closeAll(): Promise<void> {
  for (const { net } of open.splice(0)) net.destroy()
  await expect.poll(given.gateway.size).toBe(0)
}

test('twice as many sockets at once cause no more reads, and missed changes are read by rows, not by sockets', async () => {
  const gate = givenGate()
  given = await givenRealtime({ aroundReads: gate.pass })
  const sessions = await signInMany(120)
  // Keys are cached, as in a running server.
  await connectAll(gate, sessions.slice(0, 1))
  await closeAll()
  const counts: Record<string, number> = {}
  for (const count of [60, 120]) {
    const reads = await connectAll(gate, sessions.slice(0, count))
    counts[`${count} current`] = reads
    expect(open.map(({ frames }) => frames.length)).toEqual(sessions.slice(0, count).map(() => 1))
    // One read for the first handshakes, and one for all others.
    expect(reads).toBeLessThanOrEqual(2)
    await closeAll()
  }
  await Promise.all(sessions.map((_, at) => given.addMessages(`many_${at}`, MISSED_EACH)))
  for (const count of [60, 120]) {
    const reads = await connectAll(gate, sessions.slice(0, count))
    counts[`${count} behind`] = reads
    for (const { frames } of open) expect(frames[0]).toMatchObject({ from: 0, seq: MISSED_EACH })
    for (const { frames } of open) expect(frames[0]?.changes).toHaveLength(MISSED_EACH)
    expect(reads).toBeLessThanOrEqual(2 + 1 + Math.ceil((count * MISSED_EACH) / PART_CHANGES))
    await closeAll()
  }
  reportCounts('statements for many sockets at once', counts)
})

test('a broadcast reads nothing, writes to a limited number of sockets per loop turn, and arrives in order', async () => {
  const gate = givenGate()
  given = await givenRealtime({ aroundReads: gate.pass })
  const [SOCKETS_EACH, USERS] = [8, 40]
  const sessions = await signInMany(USERS)
  await connectAll(gate, Array.from({ length: SOCKETS_EACH }, () => sessions).flat())
  expect(given.gateway.size()).toBe(SOCKETS_EACH * USERS)
  const userNos = await Promise.all(
    sessions.map(async (_, at) => (await given.stores.users.find(given.environment.id, `many_${at}`))?.userNo ?? 0),
  )
  const before = given.reads()
  const framesBefore = given.counted.frames
  const perTurn: number[] = []
  let lastCount = framesBefore
  let isOver = false
  const sample = () => {
    perTurn.push(given.counted.frames - lastCount)
    lastCount = given.counted.frames
    if (!isOver) setImmediate(sample)
  }
  // Two changes of every user at once, published in one turn of the event loop.
  for (const seq of [1, 2]) {
    for (const [at, userNo] of userNos.entries()) {
      const { epoch } = sessions[at]?.inbox ?? { epoch: '' }
      given.bus.publish(
        'inbox-pushed',
        toPushedFrame({ userNo, epoch, from: seq - 1, seq, unread: 0, unopened: 0, changes: [], reset: false }, []),
      )
    }
  }
  sample()
  const expectedFrames = 2 * SOCKETS_EACH * USERS
  await expect.poll(() => given.counted.frames - framesBefore).toBe(expectedFrames)
  isOver = true
  expect(given.reads() - before).toBe(0)
  expect(perTurn.reduce((sum, count) => sum + count, 0)).toBe(expectedFrames)
  // The last user of a turn may have more than one socket.
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(SOCKETS_PER_TURN + SOCKETS_EACH - 1)
  await expect.poll(() => open.every(({ frames }) => frames.length === 3)).toBe(true)
  for (const { frames } of open) expect(frames.map(({ seq }) => seq)).toEqual([0, 1, 2])
  reportCounts('a broadcast', { frames: expectedFrames, maxPerTurn: Math.max(...perTurn), statements: 0 })
})

test('positions are sent to many sockets with one statement for each 500', async () => {
  const gate = givenGate()
  given = await givenRealtime({ aroundReads: gate.pass, headsEveryMs: 60_000 })
  const sessions = await signInMany(80)
  await connectAll(gate, sessions)
  await Promise.all(sessions.map((_, at) => given.addMessagesUnpublished(`many_${at}`)))
  const before = given.reads()
  given.bus.publish('pushes-lost', { nodeId: 'another' })
  await expect.poll(() => open.every(({ frames }) => frames.at(-1)?.seq === 1)).toBe(true)
  expect(given.reads() - before).toBe(1)
})
