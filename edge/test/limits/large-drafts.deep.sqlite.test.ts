// Tests that drafts which are larger together than the memory end no process when campaigns are copied. SQLite alone: engines read alike.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DemoFile } from '../../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from '../support/edge-process.ts'
import { cookieOf } from '../support/given-dashboard.ts'
import { createRawClient } from '../support/raw-client.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'nc-drafts-'))
const client = createRawClient()
let edge: EdgeProcess
let demo: DemoFile

/** Of 3.5 MB: all together are larger than the heap. */
const DRAFTS = 75
const html = 'x'.repeat(500_000)
const steps = Array.from({ length: 7 }, (_, at) => ({ id: `m${at}`, type: 'email', subject: 'Hello', html }))

beforeAll(async () => {
  await buildEdge()
  edge = await startEdgeProcess(dataDir, { NODE_OPTIONS: '--max-old-space-size=256' })
  demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  const key = demo.environments.dev.sdkSecretKey
  for (let at = 0; at < DRAFTS; at++) {
    const body = { key: `d${at}`, trigger: { event: 'e' }, steps }
    expect((await client.ask(edge.url, 'POST', '/v1/campaigns', { key, body })).status).toBe(201)
  }
}, 240_000)
afterAll(async () => {
  client.close()
  await edge?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

async function post(path: string, body: object, cookie = '') {
  const headers = { 'x-nc-request': '1', 'content-type': 'application/json', cookie }
  const answer = await fetch(`${edge.url}/v1/dashboard/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> }
}

test('all are too many for one copy, and some are copied', { timeout: 120_000 }, async () => {
  const cookie = cookieOf(await post('auth/sign-in', demo.dashboard))
  const { dev, prod } = demo.environments
  const copy = (keys: string[]) =>
    post(`environments/${dev.id}/copy-campaigns`, { to: prod.id, keys, apply: true }, cookie)
  expect(await copy([])).toMatchObject({ status: 409, body: { code: 'request/conflict', reason: 'too-large' } })
  const done = await copy(['d0', 'd1'])
  expect(done.body.changes).toMatchObject([
    { key: 'd0', action: 'create' },
    { key: 'd1', action: 'create' },
  ])
  // Now the other way: the target has them all.
  const back = await post(`environments/${prod.id}/copy-campaigns`, { to: dev.id }, cookie)
  expect(back.body.changes).toContainEqual(expect.objectContaining({ key: 'd1', action: 'same' }))
  expect(await edge.stop()).toBe(0)
})
