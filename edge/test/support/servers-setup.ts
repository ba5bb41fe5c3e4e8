// One PostgreSQL and one Redis for a run of vitest, started when a test first asks: the keeper that test files talk to.

import { mkdtempSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestProject } from 'vitest/node'
import { startJanitor } from '../../../tools/servers/janitor.ts'
import { runSql, startPostgres } from '../../../tools/servers/postgres.ts'
import type { Server } from '../../../tools/servers/server-process.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Socket of the keeper. */
    keeper: string
  }
}

/** What a test file writes, a line each; answered by a line `Answer`. */
export interface Ask {
  number: number
  /** `drop`: the database of that name. Those that are left go when the file's process does. */
  what: 'database' | 'drop'
  name?: string
}

export interface Answer {
  number: number
  url?: string
  error?: string
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'nc-keeper-'))
  const janitor = startJanitor(folder)
  const path = join(folder, 'socket')
  const databases = createDatabases()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    // No run waits for a file that does not close its end.
    socket.unref()
    serve(socket, databases)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  server.unref()
  project.provide('keeper', path)
  return async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await databases.close()
    await janitor.clear()
  }
}

interface Databases {
  create(): Promise<string>
  drop(name: string): Promise<void>
  close(): Promise<void>
}

/** The names of one run cannot meet: the server is the run's own. */
function createDatabases(): Databases {
  let starting: Promise<Server> | undefined
  let count = 0
  let isClosed = false
  const start = () => {
    starting ??= startPostgres()
    return starting
  }
  return {
    async create() {
      const { url } = await start()
      count += 1
      const name = `test_${count}`
      await runSql(url, `CREATE DATABASE ${name}`)
      return Object.assign(new URL(url), { pathname: `/${name}` }).href
    },
    async drop(name) {
      const server = await starting
      if (server !== undefined && !isClosed) await runSql(server.url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)
    },
    async close() {
      isClosed = true
      await (await starting)?.remove()
    },
  }
}

function serve(socket: Socket, databases: Databases): void {
  const open = new Set<string>()
  const answer = async ({ number, what, name = '' }: Ask): Promise<Answer> => {
    try {
      if (what === 'database') {
        const url = await databases.create()
        open.add(new URL(url).pathname.slice(1))
        return { number, url }
      }
      open.delete(name)
      await databases.drop(name)
      return { number }
    } catch (error) {
      return { number, error: error instanceof Error ? error.message : String(error) }
    }
  }
  createInterface({ input: socket }).on('line', async (line) => {
    const said = await answer(JSON.parse(line) as Ask)
    if (!socket.destroyed) socket.write(`${JSON.stringify(said)}\n`)
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', async () => {
    // One by one, and nobody waits for it: each costs the server a checkpoint.
    for (const name of open) await databases.drop(name).catch(() => {})
  })
}
