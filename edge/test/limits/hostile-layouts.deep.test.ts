// Tests that no layout of mails that a customer saves or previews ends the service or keeps it from others: each one is
// compiled in a sandbox, which it ends.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DemoFile } from '../../seed/demo-file.ts'
import { buildEdge, type EdgeProcess, startEdgeProcess } from '../support/edge-process.ts'
import { engineSettings } from '../support/engine.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'nc-layouts-'))
let edge: EdgeProcess
let cookie: string
let org: string

beforeAll(async () => {
  await buildEdge()
  const engine = await engineSettings()
  edge = await startEdgeProcess(dataDir, engine.env)
  const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as DemoFile
  org = `/v1/dashboard/organisations/${demo.organisation.id}`
  const { email, password } = demo.dashboard
  const { headers } = await send('POST', '/v1/dashboard/auth/sign-in', { email, password })
  cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
})
afterAll(async () => {
  await edge?.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

function send(method: string, path: string, body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-nc-request': '1', ...(cookie && { cookie }) }
  return fetch(edge.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
}

const MAX_CHARS = 64 * 1024

/** Gives many elements one long value: the HTML has some hundreds of megabytes. */
function timesLong(attribute: string, before: string, element: string, after: string): string {
  const head = `<mjml><mj-head><mj-attributes><mj-all ${attribute}="${'x'.repeat(30_000)}"/></mj-attributes></mj-head><mj-body>{{ content }}${before}`
  const tail = `${after}</mj-body></mjml>`
  return head + element.repeat(Math.floor((MAX_CHARS - head.length - tail.length) / element.length)) + tail
}

const LAYOUTS = [
  ['sections', timesLong('background-color', '', '<mj-section/>', '')],
  ['texts', timesLong('font-family', '<mj-section><mj-column>', '<mj-text/>', '</mj-column></mj-section>')],
] as const
const ENDED = { path: 'email.layout', message: expect.stringMatching(/^The process that evaluated it took too/) }

/** Asks whether the server lives until the answer is there. @returns the answer */
async function whileHealthy(answer: Promise<Response>): Promise<Response> {
  let isThere = false
  const there = answer.finally(() => {
    isThere = true
  })
  let asked = 0
  while (!isThere) {
    expect((await send('GET', '/healthz')).status).toBe(200)
    asked++
  }
  // The process of the layout takes longer than any of these.
  expect(asked).toBeGreaterThan(5)
  return there
}

const endsOfSandboxes = async () => {
  const text = await (await send('GET', '/metrics')).text()
  return Number(/^nc_sandbox_ended_total (\d+)$/m.exec(text)?.[1])
}

test.each(LAYOUTS)('%s of a long value are refused, and end a sandbox alone', async (name, layout) => {
  const email = { layout, layoutFormat: 'mjml' }
  const before = await endsOfSandboxes()
  const saved = await whileHealthy(send('POST', `${org}/notification-configs`, { name, email }))
  expect(saved.status).toBe(400)
  expect(await saved.json()).toMatchObject({ code: 'request/invalid-body', details: [ENDED] })
  const previewed = await whileHealthy(send('POST', `${org}/mail-layouts/preview`, { email }))
  expect(previewed.status).toBe(400)
  expect(await previewed.json()).toMatchObject({ code: 'request/invalid-body', details: [ENDED] })
  expect(await endsOfSandboxes()).toBeGreaterThanOrEqual(before + 2)
  expect(
    (await send('POST', `${org}/notification-configs`, { name, email: { layout: '<p>{{ content }}</p>' } })).status,
  ).toBe(201)
})

test('the process is still the same, and ends in order', async () => {
  expect(await edge.stop()).toBe(0)
})
