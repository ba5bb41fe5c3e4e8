// Tests a Redis with an untrusted certificate: refused and logged, and the process continues.
// PostgreSQL alone: SQLite uses no Redis.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { programPath } from '../../../tools/programs/programs.ts'
import { findFreePort } from '../../../tools/servers/server-process.ts'
import { createRedisBus, createRedisClient } from '../../bus/redis.ts'
import { createLog } from '../../lib/log.ts'

let folder: string
let port: number
let redis: ChildProcess
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nc-tls-'))
  port = await findFreePort()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const request = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    key,
    '-out',
    cert,
    '-subj',
    '/CN=localhost',
  ]
  execFileSync('openssl', request, { stdio: 'ignore' })
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert]
  const args = [
    '--port',
    '0',
    '--bind',
    '127.0.0.1',
    '--tls-port',
    String(port),
    ...files,
    '--save',
    '',
    '--dir',
    folder,
  ]
  redis = spawn(programPath('redis'), args, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: redis.stdout as Readable })) {
    if (line.includes('Ready to accept connections')) break
  }
})
afterAll(() => {
  redis.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

test('an untrusted certificate is refused at each attempt and logged once, without the password', async () => {
  const url = `rediss://:very-secret@localhost:${port}`
  const lines: string[] = []
  const log = createLog('debug', (line) => void lines.push(line))
  let attempts = 0
  const bus = createRedisBus({ url, nodeId: 'a', realm: 'x', log })
  const client = createRedisClient(url)
  client.on('error', () => {
    attempts++
  })
  await vi.waitFor(() => expect(attempts).toBeGreaterThan(3), { timeout: 60_000, interval: 10 })
  expect(bus.isUp()).toBe(false)
  client.disconnect()
  await bus.close()
  expect(lines).toHaveLength(1)
  expect(lines.join()).toContain('self-signed certificate')
  expect(lines.join()).not.toContain('very-secret')
})
