// Tests the shop's enricher called like by the edge: signed, verified, answered from the orders.

import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { fetchHandler } from '../../sdk/node/index.ts'
import { createClient } from './client.ts'
import { addEnrichers, ORDER_DETAILS } from './enrichers.ts'
import { findOrder } from './orders.ts'

const secret = Buffer.from('a signing secret of the demo')
const webhookSigningSecret = `whsec_${secret.toString('base64')}`
const keys = { id: 'env_1', sdkSecretKey: 'k', authSecretKey: 'a', frontApiKey: 'f', webhookSigningSecret }
const answer = fetchHandler(addEnrichers(createClient('http://127.0.0.1:1', keys)))

async function ask(params: unknown): Promise<{ status: number; body: Record<string, unknown> }> {
  const payload = JSON.stringify({ id: 'enr_1', name: ORDER_DETAILS, params, user: { id: 'u_42' }, event: {} })
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret).update(`enr_1.${timestamp}.${payload}`).digest('base64')
  const headers = { 'webhook-id': 'enr_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  const url = `http://127.0.0.1/demo/enrichers/dev?name=${ORDER_DETAILS}`
  const body = JSON.stringify({ name: ORDER_DETAILS, payload, params, headers })
  const response = await answer(new Request(url, { method: 'POST', headers, body }))
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

test('an order number is answered with what was bought', async () => {
  const order = findOrder('L-123456')
  const { status, body } = await ask({ orderId: 'L-123456' })
  expect(status).toBe(200)
  expect(body).toMatchObject({ ok: true, data: { lines: order?.lines, total: order?.total, currency: 'EUR' } })
})

test('what is no order fails, and what is no text does not reach the shop', async () => {
  expect(await ask({ orderId: '../../etc' })).toMatchObject({ status: 500, body: { error: { code: 'handler-error' } } })
  expect(await ask({ orderId: 7 })).toMatchObject({ status: 400, body: { error: { code: 'input-invalid' } } })
})

test('the same number is always the same order, and its total is that of its lines', () => {
  for (let serial = 0; serial < 200; serial++) {
    const order = findOrder(`L-${serial}`)
    expect(order).toEqual(findOrder(`L-${serial}`))
    expect(order?.lines.length).toBeGreaterThan(0)
    expect(order?.total).toBe(order?.lines.reduce((sum, line) => sum + line.count * line.price, 0))
  }
})
