// PostgreSQL and Redis for tests: databases of the run's one server, and servers of a test's own that it may harm.

import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { inject } from 'vitest'
import * as postgres from '../../../tools/servers/postgres.ts'
import * as redis from '../../../tools/servers/redis.ts'
import type { Server } from '../../../tools/servers/server-process.ts'
import type { Answer, Ask } from './servers-setup.ts'

/** An empty database of the run's PostgreSQL: its `postgres://` address. Dropped when the test file ends, or before. */
export function freshDatabase(): Promise<string> {
  return create('database')
}

/** One with the empty tables of this version in it, as the first start of an edge would make them (docs/decisions/0161). */
export function freshStore(): Promise<string> {
  return create('store')
}

async function create(what: 'database' | 'store'): Promise<string> {
  const { url } = await ask({ what })
  if (url === undefined) throw new Error('the keeper gave no address')
  return url
}

/** Drops it, whoever is connected. */
export async function dropDatabase(url: string): Promise<void> {
  await ask({ what: 'drop', name: new URL(url).pathname.slice(1) })
}

/** Any statements in that database, as its owner: for what a test must see or harm behind the store's back. */
export const runSql = postgres.runSql

/**
 * An empty Redis: its `redis://` address. A server of its own (30 ms), because channels know no logical databases; gone when
 * the test file ends.
 */
export async function freshRedis(): Promise<string> {
  return (await startRedis()).url
}

/** A PostgreSQL of the test's own (0.6 s), to be harmed. Gone when the test file ends. */
export function startPostgres(): Promise<Server> {
  return postgres.startPostgres()
}

/** A Redis of the test's own, to be harmed. Gone when the test file ends. */
export function startRedis(): Promise<Server> {
  return redis.startRedis()
}

let keeper: Socket | undefined
let asked = 0
const waiting = new Map<number, (answer: Answer) => void>()

async function ask(what: Omit<Ask, 'number'>): Promise<Answer> {
  keeper ??= connectToKeeper()
  asked += 1
  const number = asked
  const answered = new Promise<Answer>((resolve) => waiting.set(number, resolve))
  keeper.write(`${JSON.stringify({ ...what, number } satisfies Ask)}\n`)
  const answer = await answered
  if (answer.error !== undefined) throw new Error(answer.error)
  return answer
}

/** Open until the process of the test file ends; then what it made is dropped. */
function connectToKeeper(): Socket {
  const socket = connect(inject('keeper'))
  socket.unref()
  createInterface({ input: socket }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer
    waiting.get(answer.number)?.(answer)
    waiting.delete(answer.number)
  })
  const fail = () => {
    keeper = undefined
    for (const [number, resolve] of waiting) resolve({ number, error: 'the keeper of the servers is gone' })
    waiting.clear()
  }
  socket.on('error', fail)
  socket.on('close', fail)
  return socket
}
