// Tests failing writes by a file size limit (docs/decisions/0009-store-outages.md): 503, readiness, log and recovery.
// SQLite alone: PostgreSQL writes its own files.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import type { DemoFile } from '../../seed/demo-file.ts'
import { buildEdge } from '../support/edge-process.ts'
import { prepareSeeded } from '../support/prepared-folders.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'nc-unwritable-'))
const cleanups: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup()
  rmSync(folder, { recursive: true, force: true })
})

async function givenLimitedEdge(name: string) {
  const dataDir = join(folder, name)
  const settings = { PORT: '0', DATA_DIR: dataDir, SEED_DEMO: 'plain', RATE_LIMITS: 'off', LOG_LEVEL: 'info' }
  await prepareSeeded(settings, 'with campaigns')
  const child = spawn(process.execPath, ['edge/dist/main.js'], { cwd: ROOT, env: { ...process.env, ...settings } })
  const exited = once(child, 'exit')
  cleanups.push(async () => {
    child.kill('SIGKILL')
    await exited
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  await expect.poll(() => output).toContain('"listening"')
  return {
    url: /"address":"([^"]+)"/.exec(output)?.[1] ?? '',
    stop() {
      child.kill('SIGTERM')
      return exited.then(([code]) => code as number | null)
    },
    logLines: (text: string) => output.split('\n').filter((line) => line.includes(text)),
    limit: (size: string) => promisify(execFile)('prlimit', ['--pid', String(child.pid), `--fsize=${size}:unlimited`]),
  }
}

// Only Linux lets one process limit another.
test.skipIf(process.platform !== 'linux')(
  'a failed write is answered with 503, reported once by log and readiness, and writes succeed again without a restart',
  async () => {
    await buildEdge()
    const edge = await givenLimitedEdge('restored')
    const { dev } = (JSON.parse(readFileSync(join(folder, 'restored', 'demo.json'), 'utf8')) as DemoFile).environments
    const credential = { authorization: `Bearer ${dev.sdkSecretKey}` }
    const track = async () => {
      const body = JSON.stringify({ sdkSecretKey: dev.sdkSecretKey, name: 'disk.broke', userId: 'u1' })
      const headers = { ...credential, 'content-type': 'application/json' }
      return (await fetch(`${edge.url}/v1/events/track`, { method: 'POST', headers, body })).status
    }
    const readyz = async () => {
      const answer = await fetch(`${edge.url}/readyz`)
      return answer.ok ? 'ready' : ((await answer.json()) as { reason: string }).reason
    }
    const readEvents = async () => {
      const answer = await fetch(`${edge.url}/v1/events`, { headers: credential })
      return ((await answer.json()) as { data: unknown[] }).data.length
    }

    expect([await track(), await readyz()]).toEqual([202, 'ready'])
    await edge.limit('1')
    expect(await track()).toBe(503)
    expect([await readyz(), await track(), await readyz()]).toEqual(['store', 503, 'store'])
    expect(await readEvents()).toBe(1)
    expect(edge.logLines('store write failed')).toEqual([expect.stringContaining('disk I/O error')])

    await edge.limit('unlimited')
    await expect.poll(readyz).toBe('ready')
    expect(edge.logLines('store write restored')).toHaveLength(1)
    expect([await track(), await readEvents()]).toEqual([202, 2])
  },
)

test.skipIf(process.platform !== 'linux')(
  'a stop ends with 0 although writes fail, and the next start has all that was written',
  async () => {
    await buildEdge()
    const edge = await givenLimitedEdge('stopped')
    const { dev } = (JSON.parse(readFileSync(join(folder, 'stopped', 'demo.json'), 'utf8')) as DemoFile).environments
    const headers = { authorization: `Bearer ${dev.sdkSecretKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ sdkSecretKey: dev.sdkSecretKey, name: 'disk.stopped', userId: 'u1' })
    expect((await fetch(`${edge.url}/v1/events/track`, { method: 'POST', headers, body })).status).toBe(202)
    await edge.limit('1')
    expect(await edge.stop()).toBe(0)
    expect(edge.logLines('shutdown failed')).toEqual([])
    const next = await givenLimitedEdge('stopped')
    const answer = await fetch(`${next.url}/v1/events?name=disk.stopped`, { headers })
    expect(((await answer.json()) as { data: unknown[] }).data).toHaveLength(1)
  },
)
