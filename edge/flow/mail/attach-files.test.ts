// Tests that base64 needs no slot, and that all files of a mail have one time limit.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGuardedFetch, type GuardedFetch } from '../../lib/outbound/guarded-fetch.ts'
import { createAttachFiles } from './attach-files.ts'

const calls: (string | undefined)[] = []
const server = createServer(({ url }, response) => {
  calls.push(url)
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

const FETCHED = { content: null, host: undefined }
const file = (url: string | null) => ({ place: 0, filename: 'a.txt', url, contentType: null })

test('a mail whose files are in its step is sent while all slots of its environment are taken', async () => {
  const files = createAttachFiles({ fetch: outbound.fetch, fetchPublic: outbound.fetch })
  const hanging = Array.from({ length: 30 }, () =>
    files.with(1, [file(`${origin}/hang`)], [FETCHED], async () => 'sent'),
  )
  expect(hanging.at(-1)).toBeUndefined()
  const content = Buffer.from('Terms').toString('base64')
  const sent = await files.with(1, [file(null)], [{ content, host: undefined }], async (load) => load())
  expect(sent).toMatchObject([{ filename: 'a.txt', content: Buffer.from('Terms') }])
})

test('the files of a step are decoded when the mail is sent, and not while it waits for its provider', async () => {
  const files = createAttachFiles({ fetch: outbound.fetch, fetchPublic: outbound.fetch })
  let reads = 0
  const inStep = {
    host: undefined,
    get content() {
      reads++
      return Buffer.from('Terms').toString('base64')
    },
  }
  const load = await files.with(1, [file(null)], [inStep], async (load) => load)
  expect(reads).toBe(0)
  expect(await load?.()).toMatchObject([{ content: Buffer.from('Terms') }])
  expect(reads).toBe(1)
})

test('the files of a mail have their time together', async () => {
  const files = createAttachFiles({ fetch: outbound.fetch, fetchPublic: outbound.fetch, timeoutMs: 2000 })
  const attachments = ['/quick', '/slow', '/never-asked'].map((path) => file(`${origin}${path}`))
  const missing = await files.with(2, attachments, [FETCHED, FETCHED, FETCHED], async (load) => load())
  expect(missing).toMatchObject({ error: expect.stringContaining('a.txt is missing') })
  expect(calls).not.toContain('/never-asked')
})
