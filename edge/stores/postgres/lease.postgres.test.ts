// Tests leases of node numbers and jobs, by the database's clock: a process that was stopped for longer than a lease
// writes nothing.

import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { createStoreClock, type StoreClock, systemClock } from '../../lib/clock.ts'
import { freshStore, runSql } from '../../test/support/servers.ts'
import { openPostgresStores, type PostgresStores } from '../postgres.ts'
import { openConnection } from './connection.ts'
import { isFenced, LeaseLost } from './faults.ts'
import { createLease, DATABASE_NOW } from './lease.ts'
import { prepareStore } from './prepare.ts'
import { runTransaction } from './transaction.ts'

interface NodeOutput {
  node?: number
  job?: { id: number; fence: number; attempts: number }
  result?: string
}
const children: ChildProcess[] = []
const opened: PostgresStores[] = []
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await Promise.all(opened.splice(0).map((stores) => stores.close()))
})

async function open(url: string, nodeLeaseMs?: number): Promise<PostgresStores> {
  const stores = await openPostgresStores({ url, clock: systemClock, nodeLeaseMs })
  opened.push(stores)
  return stores
}

/** Starts a node in its own process; `requestWrite` makes it commit a plan that completes its job. */
async function startNode(url: string, leases: { nodeMs: number; jobMs: number }) {
  const args = [
    '--import',
    'tsx',
    `${import.meta.dirname}/../../test/support/frozen-node.ts`,
    url,
    String(leases.nodeMs),
    String(leases.jobMs),
  ]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value as string) as NodeOutput
  return {
    first: await next(),
    stop: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    /** Can be called while the process is stopped: it reads the request when it continues. */
    requestWrite: () => child.stdin.write('write\n'),
    next,
  }
}

/** Counts the comparisons of the clock from now on. */
function countCompared(clock: StoreClock) {
  let count = 0
  const { compare } = clock
  clock.compare = async (readNow) => {
    await compare(readNow)
    count++
  }
  return { count: () => count }
}

const addJob = (url: string, id: number) =>
  runSql(
    url,
    `INSERT INTO job (id, environment_id, kind, payload, run_at, created_at, due_at, attempts, fence) VALUES (${id}, 1, 'k', '{}', 1, 1, 1, 0, 0)`,
  )

test('a worker that was stopped for longer than its lease writes nothing, and another one completes the job once', async () => {
  const url = await freshStore()
  await prepareStore({ url, clock: systemClock })
  await addJob(url, 1)
  const stopped = await startNode(url, { nodeMs: 60_000, jobMs: 300 })
  expect(stopped.first.job).toMatchObject({ id: 1, fence: 1, attempts: 1 })
  stopped.stop()
  const other = await open(url)
  await expect
    .poll(() => other.jobs.claim(systemClock.now(), 60_000, 5, ['k']))
    .toMatchObject([{ id: 1, fence: 2, attempts: 2 }])
  stopped.requestWrite()
  stopped.resume()
  expect((await stopped.next()).result).toBe('lease-lost')
  expect(await runSql(url, 'SELECT fence FROM job')).toBe('2')
  await other.jobs.complete({ environmentId: 1, id: 1, fence: 2 })
  expect(await runSql(url, 'SELECT COUNT(*) FROM job')).toBe('0')
})

test('a node that was stopped for longer than its lease is refused, and takes another number', async () => {
  const url = await freshStore()
  const stopped = await startNode(url, { nodeMs: 1500, jobMs: 1000 })
  expect(stopped.first.node).toBe(0)
  stopped.stop()
  // Its lease ends by the database's clock; then the next node takes the number.
  const overdue = `SELECT COUNT(*) FROM nodes WHERE number = 0 AND leased_until < ${DATABASE_NOW}`
  await expect.poll(() => runSql(url, overdue)).toBe('1')
  const other = await open(url)
  expect(other.nodeNumber()).toBe(0)
  stopped.requestWrite()
  stopped.resume()
  // Its writes are refused until it has a number: none uses the number that the other node has now.
  const writes: NodeOutput[] = []
  for (let output = await stopped.next(); ; output = await stopped.next()) {
    writes.push(output)
    if (output.result === 'written') break
    stopped.requestWrite()
  }
  expect(writes.at(-1)).toEqual({ result: 'written', node: 1 })
  const holders = `SELECT COUNT(DISTINCT holder) FROM nodes WHERE leased_until > ${DATABASE_NOW}`
  // A short lease may end for a moment, until the next heartbeat.
  await expect.poll(() => runSql(url, holders)).toBe('2')
})

test('a transaction that began under a lease and ends without it writes nothing', async () => {
  const url = await freshStore()
  await prepareStore({ url, clock: systemClock })
  const [own, others] = await Promise.all([
    openConnection({ url, deadlineMs: 5000 }),
    openConnection({ url, deadlineMs: 5000 }),
  ])
  const lease = createLease({ holder: 'own', leaseMs: 200 })
  await lease.take(own)
  const fence = lease.fence()
  const write = () => runTransaction(own, (sql) => sql.run(`INSERT INTO meta (name, value) VALUES ('x', 'y')`), fence)
  const rival = createLease({ holder: 'other', leaseMs: 60_000 })
  const takeOver = async () => {
    await rival.take(others)
    return rival.number()
  }
  // The lowest free number is taken first: number 0 is free when its lease has ended.
  await expect
    .poll(() => runSql(url, `SELECT COUNT(*) FROM nodes WHERE number = 0 AND leased_until < ${DATABASE_NOW}`))
    .toBe('1')
  await expect(write()).rejects.toSatisfy(isFenced)
  expect(await takeOver()).toBe(0)
  await expect(write()).rejects.toSatisfy(isFenced)
  await expect(lease.sync(own)).rejects.toBeInstanceOf(LeaseLost)
  expect(await runSql(url, `SELECT COUNT(*) FROM meta WHERE name = 'x'`)).toBe('0')
  await lease.heartbeat(own)
  expect(lease.number()).toBe(1)
  for (const connection of [own, others]) connection.destroy('done')
})

test("leases use the database's clock: nodes whose clock is an hour ahead or behind claim neither early nor late", async () => {
  const url = await freshStore()
  await addJob(url, 1)
  const HOUR_MS = 3_600_000
  const [behind, ahead] = await Promise.all(
    [-HOUR_MS, HOUR_MS].map(async (skewMs) => {
      const clock = { now: () => systemClock.now() + skewMs }
      const stores = await openPostgresStores({ url, clock, nodeLeaseMs: 60_000 })
      opened.push(stores)
      return { stores, claim: (leaseMs: number) => stores.jobs.claim(clock.now(), leaseMs, 5, ['k']) }
    }),
  )
  if (behind === undefined || ahead === undefined) throw new Error('There are not two nodes.')
  expect(await behind.claim(60_000)).toMatchObject([{ id: 1, fence: 1 }])
  expect(await ahead.claim(60_000)).toEqual([])
  // Moves the lease one minute back, as if the minute had passed in the database.
  await runSql(url, 'UPDATE job SET due_at = due_at - 60000')
  expect(await ahead.claim(60_000)).toMatchObject([{ id: 1, fence: 2 }])
  expect(await behind.claim(1000)).toEqual([])
  expect(new Set([behind.stores.nodeNumber(), ahead.stores.nodeNumber()])).toEqual(new Set([0, 1]))
})

test('each node has its own number, and releases it when it closes', async () => {
  const url = await freshStore()
  const [first, second] = [await open(url), await open(url)]
  expect([first.nodeNumber(), second.nodeNumber()]).toEqual([0, 1])
  await first.close()
  expect((await open(url)).nodeNumber()).toBe(0)
})

test('two workers never claim the same job, and none waits for the other', async () => {
  const url = await freshStore()
  const nodes = [await open(url), await open(url), await open(url)]
  await runSql(
    url,
    `INSERT INTO job (id, environment_id, kind, payload, run_at, created_at, due_at, attempts, fence)
      SELECT i, 1, 'k', '{}', 1, 1, 1, 0, 0 FROM generate_series(1, 300) AS i`,
  )
  const claimed = await Promise.all(
    nodes.map(async ({ jobs }) => {
      const own: number[] = []
      for (let found = await jobs.claim(systemClock.now(), 60_000, 7, ['k']); found.length > 0; ) {
        own.push(...found.map(({ id }) => id))
        found = await jobs.claim(systemClock.now(), 60_000, 7, ['k'])
      }
      return own
    }),
  )
  expect(claimed.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1))
  for (const own of claimed) expect(own.length).toBeGreaterThan(0)
})

test('a node whose clock is an hour wrong uses the database’s clock from its start, also after its clock was set', async () => {
  const url = await freshStore()
  let skewMs = 3_600_000
  const clock = createStoreClock({ now: () => Date.now() + skewMs })
  opened.push(await openPostgresStores({ url, clock }))
  const offMs = () => Math.abs(clock.now() - Date.now())
  expect(offMs()).toBeLessThan(60_000)
  skewMs = -7_200_000
  const { count } = countCompared(clock)
  await expect.poll(count).toBeGreaterThan(2)
  expect(offMs()).toBeLessThan(60_000)
})
