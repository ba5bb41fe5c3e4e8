// Sends generated requests to the built edge, and returns the smallest request of each kind of fault.

import fc from 'fast-check'
import { createAnswerCheck } from './check-answer.ts'
import { type LogLine, startFuzzServer } from './fuzz-server.ts'
import { collectIds } from './records.ts'
import { type Drawn, type Operation, operationsOf, type Reference, requestsOf } from './requests.ts'
import { type Client, createClient, limitOf, type Received, toCommand } from './send.ts'
import { type Aimed, toSent } from './to-sent.ts'
import { createWorldMaker, PASSWORD, type World } from './world.ts'

export interface FuzzOptions {
  requests: number
  seed: number
  engine: 'sqlite' | 'postgres'
  /** Requests under way at a time. */
  concurrency: number
  /** Part of the names of the operations that are called. */
  only: string | undefined
  print(line: string): void
}

export interface Fault {
  /** The operation and what is wrong. */
  kind: string
  count: number
  /** The smallest request found, as a command. */
  command: string
  /** Repeats its round. */
  round: number | undefined
  answer: string
}

export interface FuzzOutcome {
  sent: number
  statuses: Map<number, number>
  faults: Fault[]
  slowest: { tookMs: number; name: string }[]
  memory: { resident: number; heap: number }[]
}

/** Requests of one operation in a row. */
const ROUND = 25
/** A world has lost much of what it had after so many. */
const WORLD_REQUESTS = 4000
/** Milliseconds after which a round ends. What takes longer than `SLOW_MS` on average is called in few rounds. */
const ROUND_MS = 400
const SLOW_MS = 60
const MEMORY_LOOKS = 10
/** What the process may hold at the end beyond what it held after the first tenth. */
const MEMORY_GROWTH = 200 * 1024 * 1024

class Found extends Error {}

/** @returns What was sent and what was wrong. */
export async function runRequests(options: FuzzOptions): Promise<FuzzOutcome> {
  const faults = new Map<string, Fault>()
  const report = (kind: string, command: string, answer: string, round?: number) => {
    const known = faults.get(kind)
    if (known === undefined) options.print(`${kind}\n  ${command}\n  ${answer}`)
    faults.set(kind, known ?? { kind, count: 0, command, round, answer })
    const fault = faults.get(kind) as Fault
    fault.count++
    if (command !== '' && command.length < fault.command.length) Object.assign(fault, { command, answer, round })
    return known === undefined
  }
  const server = await startFuzzServer({
    engine: options.engine,
    onLine: (line, text) => reportLine(line, text, report),
  })
  const client = createClient(server.url, options.concurrency)
  try {
    const reference = (await (await fetch(`${server.url}/openapi.json`)).json()) as Reference
    const operations = operationsOf(reference).filter(
      ({ name }) => options.only === undefined || name.includes(options.only),
    )
    const maker = await createWorldMaker(server, client)
    const former: string[] = []
    const check = createAnswerCheck({ components: reference.components.schemas, secrets: () => former })
    const state = createState({ ...options, ...server, client, reference, check, report })
    let round = 0
    const memory: FuzzOutcome['memory'] = []
    while (state.sent() < options.requests && server.isRunning()) {
      const world = await maker.make()
      const until = Math.min(state.sent() + WORLD_REQUESTS, options.requests)
      const next = () => {
        const operation = operations[round % operations.length]
        return operation === undefined || state.sent() >= until || !server.isRunning()
          ? undefined
          : { operation, round: round++ }
      }
      await Promise.all(Array.from({ length: options.concurrency }, () => state.runLane(world, next)))
      former.splice(
        0,
        former.length,
        world.own.authSecretKey,
        world.other.authSecretKey,
        world.own.sdkSecretKey,
        PASSWORD,
      )
      if (state.sent() >= ((memory.length + 1) * options.requests) / MEMORY_LOOKS && server.isRunning())
        memory.push(await lookAtMemory(server.readMemory, options.print, state.sent()))
    }
    await finish(server, { memory, report })
    return {
      sent: state.sent(),
      statuses: state.statuses,
      faults: [...faults.values()],
      slowest: state.slowest(),
      memory,
    }
  } finally {
    client.close()
    if ((await server.stop()) !== 0) report('the server does not end by itself', '', '')
  }
}

type Report = (kind: string, command: string, answer: string, round?: number) => boolean

function reportLine({ level, msg, error, correlationId }: LogLine, text: string, report: Report): void {
  if (level !== 'error') return
  const frame = /at .*?(\S+\/\S+?:\d+)/.exec(error?.stack ?? '')?.[1] ?? ''
  report(
    `log: ${msg}: ${error?.name ?? ''} ${error?.message ?? ''} ${frame}`.trim(),
    '',
    `${correlationId} ${text.slice(0, 3000)}`,
  )
}

async function lookAtMemory(
  read: () => Promise<{ resident: number; heap: number }>,
  print: (line: string) => void,
  sent: number,
): Promise<{ resident: number; heap: number }> {
  const found = await read()
  const mebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024)
  print(`${sent} requests, ${mebibytes(found.resident)} MiB resident, ${mebibytes(found.heap)} MiB of objects`)
  return found
}

async function finish(
  server: { url: string; isRunning(): boolean },
  { memory, report }: { memory: FuzzOutcome['memory']; report: Report },
): Promise<void> {
  if (!server.isRunning()) return void report('the server has ended', '', '')
  const ready = await fetch(`${server.url}/readyz`)
  if (ready.status !== 200) report(`/readyz answers ${ready.status}`, '', await ready.text())
  const [first, last] = [memory[0], memory.at(-1)]
  if (first !== undefined && last !== undefined && last.resident > first.resident + MEMORY_GROWTH)
    report('memory grows', '', `${first.resident} bytes after the first tenth, ${last.resident} at the end`)
}

interface StateDeps extends FuzzOptions {
  client: Client
  url: string
  isRunning(): boolean
  reference: Reference
  check: ReturnType<typeof createAnswerCheck>
  report: Report
}

function createState({ client, url, isRunning, reference, check, report, seed }: StateDeps) {
  const operationCount = operationsOf(reference).length
  const arbitraries = new Map<string, fc.Arbitrary<Drawn>>()
  const statuses = new Map<number, number>()
  /** Milliseconds by operation: all of them, the number of calls, and the longest. */
  const times = new Map<string, { totalMs: number; calls: number; longestMs: number }>()
  let sent = 0

  function count(name: string, { status, tookMs }: Pick<Received, 'status' | 'tookMs'>): void {
    sent++
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const time = times.get(name) ?? { totalMs: 0, calls: 0, longestMs: 0 }
    times.set(name, {
      totalMs: time.totalMs + tookMs,
      calls: time.calls + 1,
      longestMs: Math.max(time.longestMs, tookMs),
    })
  }

  /** @returns The fault of one request; undefined where there is none. */
  async function ask(operation: Operation, aimed: Aimed): Promise<{ fault: string; answer: string } | undefined> {
    const startedAt = performance.now()
    try {
      const received = await client.send(aimed)
      count(operation.name, received)
      if (received.status < 300 && !aimed.isMethodChanged) collectIds(aimed.place.ids, received.text.slice(0, 20_000))
      const asked = {
        isMethodChanged: aimed.isMethodChanged,
        isHead: aimed.method === 'HEAD',
        isPathOdd: aimed.isPathOdd,
        isFromDashboard: aimed.isFromDashboard,
        ownSecrets: [aimed.place.authSecretKey, aimed.place.sdkSecretKey],
      }
      const fault = check(operation, received, asked)
      return fault === undefined ? undefined : { fault, answer: `${received.status} ${received.text.slice(0, 1500)}` }
    } catch (error) {
      // Its end is reported once.
      if (!isRunning()) return undefined
      const tookMs = performance.now() - startedAt
      count(operation.name, { status: 0, tookMs })
      // A body over the limit is refused before its end, and the rest of it meets a closed connection.
      if (tookMs < limitOf(aimed.target) && (aimed.body?.length ?? 0) > REFUSED_EARLY) return undefined
      return { fault: `no answer: ${(error as Error).message}`, answer: '' }
    }
  }

  async function runRound(world: World, operation: Operation, round: number): Promise<void> {
    const { name } = operation
    const arbitrary = arbitraries.get(name) ?? requestsOf(operation, reference.components.schemas)
    arbitraries.set(name, arbitrary)
    const time = times.get(name)
    const meanMs = time === undefined ? 0 : time.totalMs / time.calls
    if (Math.floor(round / operationCount) % Math.max(1, Math.floor(meanMs / SLOW_MS)) !== 0) return
    let kind: string | undefined
    const startedAt = performance.now()
    const property = fc.asyncProperty(arbitrary, async (drawn) => {
      if (kind === undefined && performance.now() - startedAt > ROUND_MS) return
      const aimed = toSent(operation, drawn, world)
      const found = await ask(operation, aimed)
      if (found === undefined) return
      const own = `${name}: ${found.fault}`
      const isNew = report(own, toCommand(url, aimed), found.answer, round)
      // Only a new kind is made smaller, and no hanging one.
      if (!isNew && own !== kind) return
      kind = own
      if (!found.fault.startsWith('no answer')) throw new Found(own)
    })
    await fc.check(property, { seed: (seed + round * 7919) | 0, numRuns: ROUND })
  }

  return {
    sent: () => sent,
    statuses,
    slowest: () =>
      [...times]
        .map(([name, { longestMs }]) => ({ name, tookMs: longestMs }))
        .sort((a, b) => b.tookMs - a.tookMs)
        .slice(0, 10),
    async runLane(world: World, next: () => { operation: Operation; round: number } | undefined): Promise<void> {
      for (let one = next(); one !== undefined; one = next()) await runRound(world, one.operation, one.round)
    },
  }
}

/** Bytes of a body that may be refused while it is sent. */
const REFUSED_EARLY = 60_000
