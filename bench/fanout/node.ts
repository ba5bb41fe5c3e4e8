// Runs one of the two nodes as a process: `b` has the sockets, `a` publishes as fast as `b` follows, then at a steady rate.

import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { percentile } from '../numbers.ts'
import { WAYS, type WayName } from './ways.ts'

export interface NodeTask {
  role: 'a' | 'b'
  way: WayName
  url: string
  users: number
  /** Limits the pushes in flight during `fastMs`. */
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
const report = (message: unknown) => process.send?.(message)
/** A clock that both processes share. */
const now = () => Number(process.hrtime.bigint()) / 1e6
const SAMPLE = 50

if (task.role === 'b') await subscribeAll()
else await publish()

async function subscribeAll(): Promise<void> {
  let received = 0
  let latencies: number[] = []
  await way.subscribe(userNos, (packet) => {
    received++
    const at = packet.indexOf('"sentAt":')
    latencies.push(now() - Number.parseFloat(packet.slice(at + 9, at + 30)))
    if (received % SAMPLE === 0) report({ received })
  })
  process.on('message', (message) => {
    if (message === 'clear') latencies = []
    if (message === 'report') report({ p50Ms: percentile(latencies, 0.5), p99Ms: percentile(latencies, 0.99) })
  })
  report('ready')
}

/** The parent process forwards the counts that `b` reports. */
async function publish(): Promise<void> {
  const send = await way.openPublisher()
  const filler = 'x'.repeat(700)
  let sent = 0
  let received = 0
  const push = () => {
    const userNo = (sent++ % task.users) + 1
    const message = { id: 'msg_0123456789abcdef', seq: sent, title: 'Your order is on its way', body: filler }
    send({ userNo, frame: JSON.stringify({ sentAt: now(), seq: sent, changes: [{ op: 'add', message }] }) })
  }
  process.on('message', (message: { received: number }) => {
    received = message.received
  })
  report('ready')
  const measure = async () => {
    const until = performance.now() + task.fastMs
    const from = received
    while (performance.now() < until) {
      for (let n = 0; n < 20 && sent - received < task.window; n++) push()
      await setImmediate()
    }
    return ((received - from) / task.fastMs) * 1000
  }
  await measure()
  const perSecond = await measure()
  while (sent - received > SAMPLE) await setImmediate()
  report({ perSecond })
  const beganAt = performance.now()
  let due = 0
  while (performance.now() - beganAt < task.steadyMs) {
    for (const want = ((performance.now() - beganAt) / 1000) * task.steadyPerSecond; due < want; due++) push()
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  report('done')
}
