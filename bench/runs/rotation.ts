// Measures a rotation under continuous calls: failures in the overlap, and the time until the old value is refused, on HTTP
// (sdkSecretKey) and sockets (Front API Key). The command line prints the end instant.

import { setTimeout as delay } from 'node:timers/promises'
import { type Bench, type Benchmark, type Row, whole } from '../benchmark.ts'
import { openConnection } from '../connection.ts'
import { createCustomer } from '../customer.ts'
import type { Edge } from '../edges.ts'
import { connectSocket } from '../frames.ts'
import type { Request } from '../load.ts'
import { callNc } from '../nc.ts'

const REFUSED_WITHIN_MS = 1000
const SOCKETS = 50

interface Ended {
  previous: { retiresAt: string }
}
interface Counted {
  calls: number
  failures: number
  /** Instant of the first refused call (epoch ms). */
  refusedAt: number | undefined
}

export const rotation: Benchmark = {
  name: 'rotation',
  measures: 'a rotation under continuous calls',
  async run(bench) {
    const rows: Row[] = []
    for (const engine of bench.edges.engines()) {
      const edge = await bench.edges.start({ engine })
      bench.log(`${engine}: the tracking key`)
      rows.push(...(await rotateTrackingKey(bench, edge)))
      bench.log(`${engine}: the front key, with ${SOCKETS} sockets`)
      rows.push(await rotateFrontKey(edge))
      await bench.edges.clear()
    }
    return { rows }
  },
}

async function rotateTrackingKey({ pick }: Bench, edge: Edge): Promise<Row[]> {
  const old = createCustomer(edge.address, edge.dataDir)
  const flags = ['--env', old.environmentId, '--kind', 'sdkSecretKey']
  const ofOld = callOn(edge.address, () => old.track('rotation_old'))
  const { value } = await callNc<{ value: string }>(edge.settings, 'secret', 'rotate', ...flags, '--overlap', 'PT1H')
  const renewed = createCustomer(edge.address, edge.dataDir, value)
  const ofNew = callOn(edge.address, () => renewed.track('rotation_new'))
  await delay(pick({ rehearsal: 500, quick: 2000, full: 10_000 }))
  const inOverlap = { calls: ofOld.counted.calls, failures: ofOld.counted.failures }
  const ended = await callNc<Ended>(edge.settings, 'secret', 'retire', ...flags, '--yes')
  await delay(REFUSED_WITHIN_MS * 2)
  await Promise.all([ofOld.stop(), ofNew.stop()])
  const { refusedAt } = ofOld.counted
  const afterMs = (refusedAt ?? Number.POSITIVE_INFINITY) - Date.parse(ended.previous.retiresAt)
  const failures = (one: Counted | typeof inOverlap) => `${whole(one.calls)} / ${whole(one.failures)}`
  return [
    {
      what: `${edge.engine}: calls / failures with the old key, before and in the overlap`,
      value: failures(inOverlap),
      aim: '0',
      isMet: inOverlap.failures === 0,
    },
    {
      what: '… with the new key, in the overlap and after it',
      value: failures(ofNew.counted),
      aim: '0',
      isMet: ofNew.counted.failures === 0,
    },
    {
      what: '… first refusal of the old key after its end, HTTP',
      value: `${whole(afterMs)} ms`,
      aim: `≤ ${REFUSED_WITHIN_MS} ms`,
      isMet: afterMs <= REFUSED_WITHIN_MS,
    },
  ]
}

async function rotateFrontKey(edge: Edge): Promise<Row> {
  const customer = createCustomer(edge.address, edge.dataDir)
  const flags = ['--env', customer.environmentId, '--kind', 'frontApiKey']
  const cutAt: number[] = []
  for (let at = 0; at < SOCKETS; at += 1) {
    const socket = await connectSocket(await customer.signIn(`rotation_${at}`))
    socket.on('disconnect', () => cutAt.push(Date.now()))
  }
  await callNc(edge.settings, 'secret', 'rotate', ...flags, '--overlap', 'PT1H')
  const early = cutAt.length
  const ended = await callNc<Ended>(edge.settings, 'secret', 'retire', ...flags, '--yes')
  for (let turns = 0; cutAt.length < SOCKETS && turns < 100; turns += 1) await delay(50)
  const lastMs = Math.max(...cutAt) - Date.parse(ended.previous.retiresAt)
  return {
    what: `… sockets of the old front key: cut early / cut; the last after its end`,
    value: `${early} / ${cutAt.length} of ${SOCKETS}; ${whole(lastMs)} ms`,
    aim: `0 / all; ≤ ${REFUSED_WITHIN_MS} ms`,
    isMet: early === 0 && cutAt.length === SOCKETS && lastMs <= REFUSED_WITHIN_MS,
  }
}

/** Calls one after the other until `stop`; calls after the first refusal are not counted as failures. */
function callOn(url: string, next: () => Request): { counted: Counted; stop(): Promise<void> } {
  const counted: Counted = { calls: 0, failures: 0, refusedAt: undefined }
  let goesOn = true
  const done = (async () => {
    const connection = await openConnection(url)
    while (goesOn) {
      const { bytes, status } = next()
      const answered = await connection.send(bytes)
      counted.calls += 1
      if (answered === status) continue
      counted.failures += 1
      counted.refusedAt ??= Date.now()
    }
    connection.close()
  })()
  return {
    counted,
    async stop() {
      goesOn = false
      await done
    },
  }
}
