// The data folder of SQLite serves one process at a time (contract section 12); PostgreSQL serves several.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEdge } from '../support/edge-process.ts'
import { endAll, listening, type StartedEdge, startRawEdge } from '../support/raw-edge.ts'
import { send } from '../support/send.ts'

let dataDir: string
const started: StartedEdge[] = []
beforeAll(async () => {
  await buildEdge()
  dataDir = await mkdtemp(join(tmpdir(), 'edge-folder-'))
}, 120_000)
afterAll(async () => {
  await endAll(started)
  await rm(dataDir, { recursive: true, force: true })
})

function start(): StartedEdge {
  const edge = startRawEdge({ DATA_DIR: dataDir })
  started.push(edge)
  return edge
}

test('a folder that is in use is refused in words, and its holder goes on', async () => {
  const url = await listening(start())
  const second = start()
  expect(await second.exited).toBe(1)
  expect(second.output()).toContain(dataDir)
  expect(second.output()).not.toMatch(/\n\s+at /)
  expect((await send(url, 'GET', '/readyz')).status).toBe(200)
})
