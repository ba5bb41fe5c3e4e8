// Tests periodic tasks.

import { afterEach, expect, test, vi } from 'vitest'
import { createLog } from '../lib/log.ts'
import { createSchedule, createTasks, type Periodic, type Schedule } from './schedule.ts'

let schedule: Schedule | undefined
afterEach(() => schedule?.stop())
const until = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 5 })

test('a task runs again and again, never twice at a time, also after a fault', async () => {
  const lines: string[] = []
  let turns = 0
  let running = 0
  const task = {
    name: 'count',
    everyMs: 1,
    async run() {
      expect(++running).toBe(1)
      await new Promise(setImmediate)
      running--
      if (++turns === 2) throw new Error('out of order')
    },
  }
  schedule = createSchedule({ tasks: [task], log: createLog('error', (line) => lines.push(line)) })
  schedule.start()
  await until(() => expect(turns).toBeGreaterThan(4))
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('"kind":"count"')
})

test('a task that fails repeatedly is logged once, and its recovery once', async () => {
  const lines: string[] = []
  let turns = 0
  const run = async () => {
    turns++
    if (turns === 1 || (turns > 2 && turns < 6)) throw new Error('away')
  }
  const log = createLog('info', (line) => lines.push(JSON.parse(line).msg as string))
  schedule = createSchedule({ tasks: [{ name: 'failing', everyMs: 0, run }], log })
  schedule.start()
  await expect.poll(() => turns).toBeGreaterThan(7)
  const [failed, works] = ['periodic task failed', 'periodic task recovered']
  expect(lines).toEqual([failed, works, failed, works])
})

test('after a stop no task runs, and running ones have ended', async () => {
  let turns = 0
  let finish = () => {}
  const run = () =>
    new Promise<void>((resolve) => {
      turns++
      finish = resolve
    })
  schedule = createSchedule({ tasks: [{ name: 'slow', everyMs: 0, run }], log: createLog('silent') })
  schedule.start()
  let isStopped = false
  const stopped = schedule.stop().then(() => {
    isStopped = true
  })
  await new Promise(setImmediate)
  expect(isStopped).toBe(false)
  finish()
  await stopped
  await new Promise(setImmediate)
  expect(turns).toBe(1)
})

const IDLE: Periodic = {
  expireMessages: async () => 0,
  releaseMails: async () => {},
  relayNotices: async () => 0,
  settleRetired: async () => 0,
  warnEndings: async () => 0,
  purgeExpired: async () => 0,
  eraseEnvironments: async () => {},
  recheckDomains: async () => {},
  watchWaiting: async () => {},
  sweepMailFiles: async () => {},
  sessions: { purgeExpired: async () => {} },
  users: { finishErasures: async () => {} },
  clock: { now: () => 300_042 },
}

test('tasks whose delay is visible, and retention, which pauses by itself, run four times a second', () => {
  const often = createTasks(IDLE).filter((task) => task.everyMs <= 250)
  expect(often.map((task) => task.name)).toEqual([
    'relay-notices',
    'settle-retired',
    'expire-messages',
    'release-mails',
    'purge-expired',
  ])
})

test('expired sessions are purged, and interrupted erasures finished, by the clock of the service', async () => {
  const purged: number[] = []
  const finished: number[] = []
  const tasks = createTasks({
    ...IDLE,
    sessions: { purgeExpired: async (now) => void purged.push(now) },
    users: { finishErasures: async (begunBefore) => void finished.push(begunBefore) },
  })
  await tasks.find((task) => task.name === 'purge-sessions')?.run()
  await tasks.find((task) => task.name === 'finish-erasures')?.run()
  expect([purged, finished]).toEqual([[300_042], [42]])
})
