// The databases of a run: one PostgreSQL, started when it is first asked for. A store that a test is done with is emptied and
// given to the next one: making its four hundred files costs half a second of a processor (docs/decisions/0161).

import { startPostgres } from '../../../tools/servers/postgres.ts'
import type { Server } from '../../../tools/servers/server-process.ts'
import { type Link, openLink } from '../../stores/postgres/link.ts'
import { disconnectAll, emptyTables, makeTables, readEmptying } from '../../stores/suite/emptied.ts'

export interface Databases {
  /** The address of a new one. `store`: with the tables that the first start of an edge makes. */
  create(what: 'database' | 'store'): Promise<string>
  /** Nobody uses it any more. */
  drop(name: string): Promise<void>
  close(): Promise<void>
}

const OPEN_MS = 30_000
/** What was much larger would answer slower than a new one. An empty store has 13 MB. */
const MOST_BYTES = 40 * 1024 * 1024

interface Started {
  server: Server
  /** To the server's own database, for all that makes and drops others. */
  link: Link
}

/** The names of one run cannot meet: the server is the run's own. Nobody pulls its plug, so it need not sync. */
export function createDatabases(): Databases {
  let starting: Promise<Started> | undefined
  let count = 0
  let isClosed = false
  let emptying: Promise<string> | undefined
  const stores = new Set<string>()
  const empty: string[] = []
  async function start(): Promise<Started> {
    const server = await startPostgres({ isDurable: false })
    return { server, link: await openLink({ url: server.url, deadlineMs: OPEN_MS }) }
  }
  const started = () => {
    starting ??= start()
    return starting
  }
  const urlOf = (server: Server, name: string) => Object.assign(new URL(server.url), { pathname: `/${name}` }).href
  async function createStore(server: Server, name: string): Promise<string> {
    const url = urlOf(server, name)
    await makeTables(url)
    emptying ??= readEmptying(url)
    await emptying
    stores.add(name)
    return url
  }
  function newName(): string {
    count += 1
    return `test_${count}`
  }
  /**
   * Keeps it for the next test, by another name: a server that a test has left running connects again by itself, and a store
   * may be given back twice; neither may meet the next test's. Answers what is to be dropped instead, if it is.
   */
  async function recycle({ server, link }: Started, name: string): Promise<string | undefined> {
    if (!stores.delete(name)) return name
    let current = name
    try {
      const bytes = await disconnectAll(link, name)
      if (bytes > MOST_BYTES) return name
      const next = newName()
      await link.query(`ALTER DATABASE ${name} RENAME TO ${next}`, [], { prepare: false })
      current = next
      await emptyTables(urlOf(server, next), await (emptying as Promise<string>))
      stores.add(next)
      empty.push(next)
      return undefined
    } catch {
      // A test has changed its tables: it goes.
      return current
    }
  }
  return {
    async create(what) {
      const { server, link } = await started()
      const used = what === 'store' ? empty.shift() : undefined
      if (used !== undefined) return urlOf(server, used)
      const name = newName()
      await link.query(`CREATE DATABASE ${name}`, [], { prepare: false })
      return what === 'store' ? createStore(server, name) : urlOf(server, name)
    },
    async drop(name) {
      if (starting === undefined || isClosed) return
      const all = await starting
      const left = await recycle(all, name)
      if (left !== undefined)
        await all.link.query(`DROP DATABASE IF EXISTS "${left}" WITH (FORCE)`, [], { prepare: false })
    },
    async close() {
      isClosed = true
      const all = await starting
      all?.link.destroy('done')
      await all?.server.remove()
    },
  }
}
