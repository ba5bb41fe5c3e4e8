// Starts one PostgreSQL for a vitest run on first use, and serves test files over a socket in the folder of the run.

import { mkdtempSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestProject } from 'vitest/node'
import { startCleanupProcess } from '../../../tools/servers/cleanup-process.ts'
import { createDatabases, type Databases } from './databases.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Path of the socket that serves test files. */
    serversSocket: string
    /** Folder for what the files of a run share. It is removed after the run. */
    runFolder: string
  }
}

/** A request of a test file, one line of JSON; the reply is one line, `ServersReply`. */
export interface ServersRequest {
  number: number
  /**
   * `database`: one without tables; `store`: one with the tables of a first start; `drop`: removes that database.
   * Databases left over are dropped when the file's process ends.
   */
  what: 'database' | 'store' | 'drop'
  name?: string
}

export interface ServersReply {
  number: number
  url?: string
  error?: string
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'nc-servers-'))
  const cleanup = startCleanupProcess(folder)
  const path = join(folder, 'socket')
  const databases = createDatabases()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    // The run does not wait for a file that keeps its connection open.
    socket.unref()
    serve(socket, databases)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  server.unref()
  project.provide('serversSocket', path)
  project.provide('runFolder', folder)
  return async () => {
    server.close()
    for (const socket of sockets) socket.destroy()
    await databases.close()
    await cleanup.clear()
  }
}

function serve(socket: Socket, databases: Databases): void {
  const open = new Set<string>()
  const handleRequest = async ({ number, what, name = '' }: ServersRequest): Promise<ServersReply> => {
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
    const result = await handleRequest(JSON.parse(line) as ServersRequest)
    if (!socket.destroyed) socket.write(`${JSON.stringify(result)}\n`)
  })
  socket.on('error', () => socket.destroy())
  socket.on('close', async () => {
    // One by one in the background, because each drop costs the server a checkpoint.
    for (const name of open) await databases.drop(name).catch(() => {})
  })
}
