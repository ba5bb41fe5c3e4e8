// Provides PostgreSQL and Redis to tests: databases of the run's server, and separate servers that a test may harm.

import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { inject } from 'vitest'
import * as postgres from '../../../tools/servers/postgres.ts'
import * as redis from '../../../tools/servers/redis.ts'
import type { Server } from '../../../tools/servers/server-process.ts'
import type { ServersReply, ServersRequest } from './servers-setup.ts'

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
  const { url } = await request({ what })
  if (url === undefined) throw new Error('no database URL received')
  return url
}

/** Drops the database, even while clients are connected. */
export async function dropDatabase(url: string): Promise<void> {
  await request({ what: 'drop', name: new URL(url).pathname.slice(1) })
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

/** Starts a replica of a server of the test (1 s). It ends with the test file. */
export function startReplica(replicaOf: Server): Promise<Server> {
  return postgres.startPostgres({ replicaOf })
}

/** Starts a Redis of the test alone, which it may kill or stop. It ends with the test file. */
export function startRedis(): Promise<Server> {
  return redis.startRedis()
}

let connection: Socket | undefined
let lastNumber = 0
const waiting = new Map<number, (reply: ServersReply) => void>()

async function request(what: Omit<ServersRequest, 'number'>): Promise<ServersReply> {
  connection ??= connectToServers()
  lastNumber += 1
  const number = lastNumber
  const answered = new Promise<ServersReply>((resolve) => waiting.set(number, resolve))
  connection.write(`${JSON.stringify({ ...what, number } satisfies ServersRequest)}\n`)
  const reply = await answered
  if (reply.error !== undefined) throw new Error(reply.error)
  return reply
}

/** Connects to the servers of the run. The connection stays open until the test file's process ends. */
function connectToServers(): Socket {
  const socket = connect(inject('serversSocket'))
  socket.unref()
  createInterface({ input: socket }).on('line', (line) => {
    const reply = JSON.parse(line) as ServersReply
    waiting.get(reply.number)?.(reply)
    waiting.delete(reply.number)
  })
  const fail = () => {
    connection = undefined
    for (const [number, resolve] of waiting) resolve({ number, error: 'connection to the servers lost' })
    waiting.clear()
  }
  socket.on('error', fail)
  socket.on('close', fail)
  return socket
}
