// Tests the demo's start: the page from the first moment, and what must hold at other addresses and after restarts.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '../tools/servers/server-process.ts'
import { createEdgeApi } from './backend/edge-api.ts'
import { PLATFORMS, type Platform } from './backend/example-payloads.ts'
import { findOrder } from './backend/orders.ts'
import type { SentDelivery } from './backend/sign-example.ts'
import { startDemo } from './start.ts'

test('the first answer at its address is the page', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-start-'))
  const port = await findFreePort()
  const starting = startDemo({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent' })
  let answer: Response | undefined
  const ask = async () => {
    answer ??= await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    return answer !== undefined
  }
  await expect.poll(ask, { interval: 2, timeout: 20_000 }).toBe(true)
  expect(answer?.status).toBe(200)
  expect(await answer?.text()).toContain('<!doctype html>')
  const keySet = (await fetch(`http://127.0.0.1:${port}/demo/jwks.json`)).json()
  expect(await keySet).toMatchObject({ keys: [{ kty: 'RSA', kid: 'demo-1' }] })
  await (await starting).close()
  await rm(dataDir, { recursive: true, force: true })
})

test('an order delivered in prod has its details too, also after a start at another address', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-prod-'))
  for (const orderId of ['L-1042', 'L-1043']) {
    const edge = await startDemo({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' })
    const prod = edge.demo?.environments.prod
    if (prod === undefined) throw new Error('There is no demo organisation.')
    const api = createEdgeApi(edge.url, prod)
    const event = { name: 'order.delivered', userId: `u_${orderId}`, properties: { orderId } }
    const { eventId } = (await api.track(event)).body as { eventId: string }
    const read = async () => {
      const { data } = (await api.get(`/v1/deliveries?eventId=${eventId}`)).body as { data: { messageId: string }[] }
      if (data[0] === undefined) return undefined
      const { body } = await api.get(`/v1/deliveries/${data[0].messageId}`)
      return (body as { snapshot: { body: string } }).snapshot.body
    }
    await expect.poll(read, { timeout: 20_000 }).toContain(`${findOrder(orderId)?.total} EUR`)
    await edge.close()
  }
  await rm(dataDir, { recursive: true, force: true })
})

test('examples of platforms are accepted behind a proxy with a path, and known after a restart', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-platforms-'))
  const examples: Partial<Record<Platform, object>> = {}
  for (const accepted of [1, 0]) {
    const settings = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', PUBLIC_URL: 'https://shop.example/behind' }
    const edge = await startDemo(settings)
    for (const platform of PLATFORMS) {
      const body = JSON.stringify({ platform, userId: 'u_42', example: examples[platform] })
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${edge.url}/demo/api/deliveries`, { method: 'POST', headers, body })
      const sent = (await answer.json()) as SentDelivery
      expect(sent, platform).toMatchObject({ status: 200, body: { status: 'accepted', accepted } })
      examples[platform] = sent.example
    }
    await edge.close()
  }
  await rm(dataDir, { recursive: true, force: true })
})
