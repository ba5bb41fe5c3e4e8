// Tests that an environment whose files never come delays no mail of another environment, with files or without.

import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import type { DeliveryRecordAnswer } from '../../../contract/resources/delivery.ts'
import { type EnvironmentName, type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'

const SOON = { interval: 20 }
const MAILS = 120

let given: GivenEdge
let files: { url: string; hung: ServerResponse[]; stop(): void }

beforeAll(async () => {
  const server = createServer(({ url = '' }, response) => {
    if (!url.startsWith('/hang')) return response.end('file')
    files.hung.push(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  files = { url, hung: [], stop }
  given = await givenEdge({ OUTBOUND_ALLOW: '127.0.0.0/8' })
  const nc = givenNc(given.settings)
  for (const name of ['dev', 'prod'] as const) {
    await nc.json(`env set-sandbox --env ${given.demo.environments[name].id} --mode off`)
    await nc.json(`env change --env ${given.demo.environments[name].id} --key-may-manage yes`)
    const urls = { hang: `${files.url}/hang`, file: `${files.url}/file`, none: null }
    for (const [event, address] of Object.entries(urls)) await publish(name, event, address)
  }
})
afterAll(async () => {
  files.stop()
  await given.stop()
})

const keyOf = (name: EnvironmentName) => given.demo.environments[name].sdkSecretKey

async function publish(name: EnvironmentName, event: string, url: string | null): Promise<void> {
  const attachments = url === null ? [] : [{ filename: 'a.txt', url }]
  const steps = [{ id: 'mail', type: 'email', subject: 'Hello', markdown: 'Hello', attachments }]
  const body = { key: event, name: event, trigger: { event }, steps }
  const { body: made } = await given.call<{ id: string }>('POST', '/v1/campaigns', { key: keyOf(name), body })
  expect((await given.call('POST', `/v1/campaigns/${made.id}/publish`, { key: keyOf(name) })).status).toBe(200)
}

async function track(name: EnvironmentName, event: string, userId: string): Promise<string> {
  const user = { email: `${userId}@example.org` }
  return (await given.track({ name: event, userId, user }, name)).body.eventId
}

async function statusOf(name: EnvironmentName, eventId: string): Promise<string | undefined> {
  const path = `/v1/deliveries?eventId=${eventId}`
  return (await given.call<Page<DeliveryRecordAnswer>>('GET', path, { key: keyOf(name) })).body.data[0]?.status
}

test('mails of another environment are sent while all files of the first hang', async () => {
  const userIds = Array.from({ length: MAILS }, (_, user) => `u${user}`)
  const put = (userId: string) =>
    given.call('PUT', `/v1/users/${userId}`, { key: keyOf('dev'), body: { email: `${userId}@example.org` } })
  await Promise.all(userIds.map(put))
  await given.track({ name: 'hang', userIds }, 'dev')
  await expect.poll(() => files.hung.length, SOON).toBeGreaterThanOrEqual(4)
  const others = [await track('prod', 'none', 'ada'), await track('prod', 'file', 'bob')]
  for (const eventId of others) await expect.poll(() => statusOf('prod', eventId), SOON).toBe('sent')
  // Each of them takes half a minute: the others did not wait for their turn.
  expect(files.hung.length).toBeLessThan(MAILS / 3)
})
