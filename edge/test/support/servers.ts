// Provides PostgreSQL and Redis to tests: databases of the run's server, and separate servers that a test may harm.

import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { inject } from 'vitest'
import * as postgres from '../../../tools/servers/postgres.ts'
import * as redis from '../../../tools/servers/redis.ts'
import type { Server } from '../../../tools/servers/server-process.ts'
import type { Answer, Ask } from './servers-setup.ts'

/**
 * Creates an empty database on the run's PostgreSQL.
 * @returns its `postgres://` URL; it is dropped at the latest with the test file
 */
export function freshDatabase(): Promise<string> {
  return create('database')
}

/** Creates a database with the empty tables of this version, like a first start (docs/testing.md#both-engines). */
export function freshStore(): Promise<string> {
  return create('store')
}

async function create(what: 'database' | 'store'): Promise<string> {
  const { url } = await ask({ what })
  if (url === undefined) throw new Error('the keeper gave no address')
  return url
}

/** Drops the database, even while clients are connected. */
export async function dropDatabase(url: string): Promise<void> {
  await ask({ what: 'drop', name: new URL(url).pathname.slice(1) })
}

/** Runs statements in that database as its owner, to read or damage what the store does not show. */
export const runSql = postgres.runSql

/**
 * Starts an empty Redis (30 ms), because channels are common to all logical databases.
 * @returns its `redis://` URL; it ends with the test file
 */
export async function freshRedis(): Promise<string> {
  return (await startRedis()).url
}

/** Starts a PostgreSQL of the test alone (0.6 s), which it may kill or stop. It ends with the test file. */
export function startPostgres(): Promise<Server> {
  return postgres.startPostgres()
}

/** Starts a Redis of the test alone, which it may kill or stop. It ends with the test file. */
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

/** Connects to the servers of the run. The connection stays open until the test file's process ends. */
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
