// WebKitGTK's MiniBrowser as a scenario wants it: Debian's driver on a screen that nobody sees.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { WebKitPrograms } from '../../programs/programs.ts'
import type { TestBrowser } from './driver.ts'
import { startSession } from './webdriver.ts'

const WAIT_MS = 20_000

export async function openWebKit({ driver, miniBrowser, xvfb }: WebKitPrograms): Promise<TestBrowser> {
  const home = await mkdtemp(join(tmpdir(), 'nc-webkit-'))
  const running: ChildProcess[] = []
  const close = async (): Promise<void> => {
    for (const child of running.reverse()) await end(child)
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    const screen = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1024x800x24', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    running.push(screen)
    const [number] = await once(screen.stdio[3] as Readable, 'data')
    const port = await freePort()
    const server = spawn(driver, ['--host=127.0.0.1', `--port=${port}`], {
      stdio: 'ignore',
      env: { ...quietHome(home), DISPLAY: `:${String(number).trim()}` },
    })
    running.push(server)
    const url = `http://127.0.0.1:${port}`
    await untilListening(url, server)
    const session = await startSession(url, {
      'webkitgtk:browserOptions': { binary: miniBrowser, args: ['--automation'] },
    })
    return {
      version: session.version,
      openWindow: session.openWindow,
      close: async () => {
        await session.end().catch(() => {})
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Nothing of whoever runs the tests, and no services of a desktop that is not there. */
function quietHome(home: string): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_RUNTIME_DIR: home,
    LANG: 'C.UTF-8',
    NO_AT_BRIDGE: '1',
    GIO_USE_VFS: 'local',
    LIBGL_ALWAYS_SOFTWARE: '1',
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function untilListening(url: string, server: ChildProcess): Promise<void> {
  const last = performance.now() + WAIT_MS
  for (;;) {
    if (server.exitCode !== null) throw new Error(`WebKitWebDriver ended with ${server.exitCode}`)
    const isThere = await fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return
    if (performance.now() > last) throw new Error('WebKitWebDriver does not listen')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill()
  await gone
}
