// Creates databases on the run's one PostgreSQL, started on first use. Used stores are emptied and reused:
// creating their four hundred files costs half a second of processor time (docs/testing.md#both-engines).

import { startPostgres } from '../../../tools/servers/postgres.ts'
import type { Server } from '../../../tools/servers/server-process.ts'
import { type Connection, openConnection } from '../../stores/postgres/connection.ts'
import { disconnectAll, emptyTables, makeTables, readEmptying } from '../../stores/test/reset-tables.ts'

export interface Databases {
  /** Creates a database and returns its URL. `store`: with the tables of a first start. */
  create(what: 'database' | 'store'): Promise<string>
  /** Releases a database that is no longer used. */
  drop(name: string): Promise<void>
  close(): Promise<void>
}

const OPEN_TIMEOUT_MS = 30_000
/** A much larger database would be slower than a new one. An empty store has 13 MB. */
const MAX_BYTES = 40 * 1024 * 1024

interface Started {
  server: Server
  /** Connection to the server's own database, which creates and drops the others. */
  connection: Connection
}

/** The server belongs to one run, so names cannot collide and data need not be synced to the disk. */
export function createDatabases(): Databases {
  let starting: Promise<Started> | undefined
  let count = 0
  let isClosed = false
  let emptyingSql: Promise<string> | undefined
  const stores = new Set<string>()
  const empty: string[] = []
  async function start(): Promise<Started> {
    const server = await startPostgres({ isDurable: false })
    return { server, connection: await openConnection({ url: server.url, deadlineMs: OPEN_TIMEOUT_MS }) }
  }
  const started = () => {
    starting ??= start()
    return starting
  }
  const urlOf = (server: Server, name: string) => Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  async function createStore(server: Server, name: string): Promise<string> {
    const url = urlOf(server, name)
    await makeTables(url)
    emptyingSql ??= readEmptying(url)
    await emptyingSql
    stores.add(name)
    return url
  }
  function newName(): string {
    count += 1
    return `test_${count}`
  }
  /**
   * Empties a store for the next test under another name: a server left running reconnects, and a store may be released
   * twice. @returns the name of the database to drop instead, if any
   */
  async function recycle({ server, connection }: Started, name: string): Promise<string | undefined> {
    if (!stores.delete(name)) return name
    let current = name
    try {
      const bytes = await disconnectAll(connection, name)
      if (bytes > MAX_BYTES) return name
      const next = newName()
      await connection.query(`ALTER DATABASE ${name} RENAME TO ${next}`, [], { prepare: false })
      current = next
      await emptyTables(urlOf(server, next), await (emptyingSql as Promise<string>))
      stores.add(next)
      empty.push(next)
      return undefined
    } catch {
      // A test has changed its tables, so it is dropped.
      return current
    }
  }
  return {
    async create(what) {
      const { server, connection } = await started()
      const used = what === 'store' ? empty.shift() : undefined
      if (used !== undefined) return urlOf(server, used)
      const name = newName()
      await connection.query(`CREATE DATABASE ${name}`, [], { prepare: false })
      return what === 'store' ? createStore(server, name) : urlOf(server, name)
    },
    async drop(name) {
      if (starting === undefined || isClosed) return
      const running = await starting
      const unusable = await recycle(running, name)
      if (unusable !== undefined)
        await running.connection.query(`DROP DATABASE IF EXISTS "${unusable}" WITH (FORCE)`, [], { prepare: false })
    },
    async close() {
      isClosed = true
      const running = await starting
      running?.connection.destroy('done')
      await running?.server.remove()
    },
  }
}
