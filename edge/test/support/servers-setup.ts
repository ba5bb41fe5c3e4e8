// One PostgreSQL and one Redis for a run of vitest, started when a test first asks: the keeper that test files talk to.

import { mkdtempSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestProject } from 'vitest/node'
import { startJanitor } from '../../../tools/servers/janitor.ts'
import { createDatabases, type Databases } from './databases.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Socket of the keeper. */
    keeper: string
  }
}

/** What a test file writes, a line each; answered by a line `Answer`. */
export interface Ask {
  number: number
  /**
   * `database`: one without tables; `store`: one with the tables that the first start of an edge makes; `drop`: the database
   * of that name goes. Those that are left go when the file's process does.
   */
  what: 'database' | 'store' | 'drop'
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

function serve(socket: Socket, databases: Databases): void {
  const open = new Set<string>()
  const answer = async ({ number, what, name = '' }: Ask): Promise<Answer> => {
    try {
      if (what !== 'drop') {
        const url = await databases.create(what)
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
