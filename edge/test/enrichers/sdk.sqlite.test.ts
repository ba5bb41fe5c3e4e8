// Tests the edge with the Node SDK: signatures, every documented code, and a rotated secret.
// SQLite alone: what is tested lies between the service and an enricher.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { fetchHandler, NotificationClient } from '../../../sdk/node/index.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

let given: GivenEdge
let cli: ReturnType<typeof givenNc>
let server: Server
let url: string
let currentClient: NotificationClient
beforeAll(async () => {
  given = await givenEdge()
  cli = givenNc(given.settings)
  currentClient = clientWith(given.demo.environments.dev.webhookSigningSecret)
  server = createServer(async (incoming, outgoing) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
    const headers = new Headers(incoming.headers as Record<string, string>)
    const request = new Request(`http://backend${incoming.url}`, {
      method: 'POST',
      headers,
      body: Buffer.concat(chunks),
    })
    const answer = await fetchHandler(currentClient)(request)
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/enrich`
  for (const name of ['order', 'broken', 'nowhere']) await call('PUT', name, { url })
})
afterAll(async () => {
  await given.stop()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function clientWith(webhookSigningSecret: string): NotificationClient {
  const { authSecretKey, sdkSecretKey } = given.demo.environments.dev
  const client = new NotificationClient({ authSecretKey, sdkSecretKey, webhookSigningSecret, baseUrl: given.url })
  client.enricher('order', z.object({ orderId: z.string() }), ({ orderId }) => ({
    orderId,
    total: 12.5,
    note: 'Grüße “…”',
  }))
  client.enricher('broken', z.object({}), () => {
    throw new Error('the database does not answer')
  })
  return client
}

interface Trial {
  ok: boolean
  data?: unknown
  error?: { code: string; reason?: string }
  attempts: number
}

const call = (method: string, path: string, body: unknown) =>
  given.call<Trial>(method, `/v1/enrichers/${path}`, { key: given.demo.environments.dev.sdkSecretKey, body })
const ask = async (name: string, params: object) => (await call('POST', `${name}/test`, { params })).body

test('data of any characters is returned unchanged', async () => {
  const data = { orderId: 'ü “7” \u2028 </script>', total: 12.5, note: 'Grüße “…”' }
  expect(await ask('order', { orderId: data.orderId })).toMatchObject({ ok: true, data, attempts: 1 })
})

test('each kind of failure has its documented code', async () => {
  expect(await ask('order', { orderId: 7 })).toMatchObject({ ok: false, error: { code: 'input-invalid' }, attempts: 1 })
  expect(await ask('nowhere', {})).toMatchObject({ ok: false, error: { code: 'enricher-not-found' }, attempts: 1 })
  expect(await ask('broken', {})).toMatchObject({ ok: false, error: { code: 'handler-error' }, attempts: 3 })
  const validClient = currentClient
  currentClient = clientWith('whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldCBvZiAzMiBieXRlcw==')
  const foreign = { code: 'hmac-invalid', reason: 'bad-signature' }
  expect(await ask('order', { orderId: '7' })).toMatchObject({ ok: false, error: foreign, attempts: 1 })
  currentClient = validClient
})

test('during an overlap both secrets are valid, afterwards only the new one', async () => {
  const env = given.demo.environments.dev.id
  const { value } = await cli.json<{ value: string }>(
    `secret rotate --env ${env} --kind webhookSigningSecret --overlap PT24H`,
  )
  const old = currentClient
  const renewed = clientWith(value)
  const worksWith = (client: NotificationClient) => async () => {
    currentClient = client
    return (await ask('order', { orderId: '1' })).ok
  }
  await expect.poll(worksWith(renewed)).toBe(true)
  expect(await worksWith(old)()).toBe(true)
  await cli.json(`secret retire --env ${env} --kind webhookSigningSecret --yes`)
  await expect.poll(worksWith(old)).toBe(false)
  expect(await worksWith(renewed)()).toBe(true)
})
