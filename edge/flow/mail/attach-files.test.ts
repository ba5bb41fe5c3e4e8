// Tests that base64 needs no slot, and that all files of a mail have one time limit.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGuardedFetch, type GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { createAttachFiles } from './attach-files.ts'

let calls = 0
const server = createServer(({ url }, response) => {
  calls++
  if (url === '/quick') response.end('quick')
  else response.write('never ends')
})
let outbound: GuardedFetch
let origin: string

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  outbound = createGuardedFetch({ allow: ['127.0.0.0/8'] })
})
afterAll(async () => {
  await outbound.close()
  server.closeAllConnections()
  server.close()
})

const file = (url: string | null) => ({ place: 0, filename: 'a.txt', url, contentType: null })

test('a mail whose files are in its step is sent while all slots of its environment are taken', async () => {
  const files = createAttachFiles(outbound.fetch)
  const hanging = Array.from({ length: 30 }, () => files.with(1, [file(`${origin}/hang`)], [null], async () => 'sent'))
  expect(hanging.at(-1)).toBeUndefined()
  const content = Buffer.from('Terms').toString('base64')
  const sent = await files.with(1, [file(null)], [content], async (loaded) => loaded)
  expect(sent).toMatchObject([{ filename: 'a.txt', content: Buffer.from('Terms') }])
})

test('the files of a mail have their time together', async () => {
  const files = createAttachFiles(outbound.fetch, 300)
  const attachments = ['/quick', '/slow', '/never-asked'].map((path) => file(`${origin}${path}`))
  const before = calls
  const missing = await files.with(2, attachments, [null, null, null], async (loaded) => loaded)
  expect(missing).toMatchObject({ error: expect.stringContaining('a.txt is missing') })
  expect(calls - before).toBe(2)
})
