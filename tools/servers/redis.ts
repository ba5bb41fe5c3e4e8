// Starts a private Redis on a free port of this machine, with a random password.
// It keeps no data unless `appendfsync` is set.

import { randomBytes } from 'node:crypto'
import { chownSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { programPath } from '../programs/programs.ts'
import { createPlace, findFreePort, type Server, type ServerOptions, startServer } from './server-process.ts'

export interface RedisOptions extends ServerOptions {
  /** Keeps an append-only file with this flush policy. */
  appendfsync?: 'everysec' | 'always'
}

/** Starts a server. @throws when Redis is not installed */
export async function startRedis({ folder, port, appendfsync }: RedisOptions = {}): Promise<Server> {
  const path = programPath('redis')
  const place = createPlace('redis', folder)
  try {
    const password = randomBytes(18).toString('hex')
    const taken = port ?? (await findFreePort())
    const config = join(place.folder, 'redis.conf')
    const kept =
      appendfsync === undefined
        ? ['appendonly no']
        : [`dir ${place.folder}`, 'appendonly yes', `appendfsync ${appendfsync}`]
    const lines = ['bind 127.0.0.1', `port ${taken}`, `requirepass ${password}`, 'save ""', ...kept]
    writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 })
    if (place.owner !== undefined) chownSync(config, place.owner.uid, place.owner.gid)
    return await startServer(`redis://:${password}@127.0.0.1:${taken}`, place, {
      path,
      args: [config],
      isReady: () => answers(taken, password),
      stopSignal: 'SIGTERM',
    })
  } catch (error) {
    await place.cleanup.clear()
    throw error
  }
}

function answers(port: number, password: string): Promise<boolean> {
  return new Promise((resolve) => {
    let said = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(`AUTH ${password}\r\nPING\r\n`))
    socket.on('data', (chunk) => {
      said += chunk.toString()
      if (!said.includes('+PONG')) return
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(false))
  })
}
