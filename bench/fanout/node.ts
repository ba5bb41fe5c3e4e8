// One of the two nodes, as a process: `b` has the sockets, `a` publishes as fast as `b` follows, then at a steady rate.

import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { percentile } from '../numbers.ts'
import { WAYS, type WayName } from './ways.ts'

export interface NodeTask {
  role: 'a' | 'b'
  way: WayName
  url: string
  users: number
  /** How many pushes are on their way at most, and for how long that is measured. */
  window: number
  fastMs: number
  steadyPerSecond: number
  steadyMs: number
}

export interface Found {
  perSecond: number
  p50Ms: number
  p99Ms: number
}

const task = JSON.parse(process.argv[2] ?? '') as NodeTask
const way = WAYS[task.way](task.url)
const userNos = Array.from({ length: task.users }, (_, index) => index + 1)
const tell = (word: unknown) => process.send?.(word)
/** Of one clock for both processes. */
const now = () => Number(process.hrtime.bigint()) / 1e6
const SAMPLE = 50

if (task.role === 'b') await hearAll()
else await publish()

async function hearAll(): Promise<void> {
  let heard = 0
  let latencies: number[] = []
  await way.hear(userNos, (packet) => {
    heard++
    const at = packet.indexOf('"sentAt":')
    latencies.push(now() - Number.parseFloat(packet.slice(at + 9, at + 30)))
    if (heard % SAMPLE === 0) tell({ heard })
  })
  process.on('message', (word) => {
    if (word === 'clear') latencies = []
    if (word === 'tell') tell({ p50Ms: percentile(latencies, 0.5), p99Ms: percentile(latencies, 0.99) })
  })
  tell('ready')
}

/** The driver passes on what `b` has heard. */
async function publish(): Promise<void> {
  const send = await way.mouth()
  const filler = 'x'.repeat(700)
  let sent = 0
  let heard = 0
  const push = () => {
    const userNo = (sent++ % task.users) + 1
    const message = { id: 'msg_0123456789abcdef', seq: sent, title: 'Your order is on its way', body: filler }
    send({ userNo, frame: JSON.stringify({ sentAt: now(), seq: sent, changes: [{ op: 'add', message }] }) })
  }
  process.on('message', (word: { heard: number }) => {
    heard = word.heard
  })
  tell('ready')
  const measure = async () => {
    const until = performance.now() + task.fastMs
    const from = heard
    while (performance.now() < until) {
      for (let n = 0; n < 20 && sent - heard < task.window; n++) push()
      await setImmediate()
    }
    return ((heard - from) / task.fastMs) * 1000
  }
  await measure()
  const perSecond = await measure()
  while (sent - heard > SAMPLE) await setImmediate()
  tell({ perSecond })
  const beganAt = performance.now()
  let due = 0
  while (performance.now() - beganAt < task.steadyMs) {
    for (const want = ((performance.now() - beganAt) / 1000) * task.steadyPerSecond; due < want; due++) push()
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  tell('done')
}
