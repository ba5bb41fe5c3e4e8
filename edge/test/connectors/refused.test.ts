// Tests what is shown of deliveries that are not taken: signed ones with their reason, others without a trace of their body.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { LARGE_BODIES } from '../../../contract/limits.ts'
import type { CreatedSourceAnswer } from '../../../contract/resources/source.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenSources, givenSources, trackCall } from '../support/given-sources.ts'

let given: GivenEdge
let sources: GivenSources
beforeAll(async () => {
  given = await givenEdge()
  sources = givenSources(given)
})
afterAll(() => given.stop())

const BODIES = [
  ['no JSON', '{"id":', 400, 'The body is not valid JSON.'],
  ['null', 'null', 400, 'The body must be an object or an array.'],
  ['1,001 items', JSON.stringify(Array(1001).fill({})), 400, 'At most 1000 items.'],
  [
    'too many bytes',
    ' '.repeat(LARGE_BODIES.deliveryBytes + 1),
    413,
    `The body is larger than ${LARGE_BODIES.deliveryBytes} bytes.`,
  ],
] as const

test.each(BODIES)(
  'a signed body is in the list with the reason of its refusal: %s',
  async (_, body, status, reason) => {
    const source = await sources.create('stripe')
    expect(await sources.deliver(source, body)).toMatchObject({ status })
    const row = {
      outcome: 'refused',
      reason,
      deliveryId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      eventId: null,
    }
    await expect.poll(() => sources.deliveries(source.id)).toMatchObject([row])
    expect(await sources.read(source.id)).toMatchObject({ counts: { refused: 1 }, lastError: reason })
  },
)

test('of a body that is not signed, only the refusal is kept', async () => {
  const source = await sources.create('stripe')
  const body = ' '.repeat(LARGE_BODIES.deliveryBytes + 1)
  expect(await sources.deliver(source, body, { secret: 'wrong' })).toMatchObject({ status: 401 })
  const reason = 'The signature does not match the body and the secret.'
  await expect
    .poll(() => sources.deliveries(source.id))
    .toMatchObject([{ outcome: 'refused', deliveryId: null, type: null, reason }])
})

test('a pause counts what it drops, when it is signed', async () => {
  const source = await sources.create('segment', { allowUnsignedBatchTail: true })
  await sources.change(source.id, 'pause')
  const paused = { status: 200, body: { status: 'paused' } }
  const send = (payload: unknown, secret?: string) =>
    sources.deliver(source, payload, secret === undefined ? {} : { secret })
  expect(await send(trackCall('d1'))).toMatchObject(paused)
  expect(await send(trackCall('forged'), 'wrong')).toMatchObject(paused)
  expect(await send('no JSON')).toMatchObject(paused)
  await expect.poll(() => sources.read(source.id)).toMatchObject({ counts: { accepted: 0, refused: 0, dropped: 2 } })
  expect(await sources.deliveries(source.id)).toMatchObject([
    { outcome: 'dropped', reason: 'The source is paused. The body is not valid JSON.' },
    { outcome: 'dropped', reason: 'The source is paused.', deliveryId: 'd1', type: 'Order Completed', eventId: null },
  ])
})

async function deliverAll(source: CreatedSourceAnswer, ids: string[]): Promise<void> {
  for (const id of ids) await sources.deliver(source, trackCall(id))
}

test('the count goes on after the pause', async () => {
  const source = await sources.create('segment')
  await sources.change(source.id, 'pause')
  await deliverAll(source, ['p1', 'p2'])
  await sources.change(source.id, 'resume')
  await deliverAll(source, ['p3'])
  await expect.poll(() => sources.read(source.id)).toMatchObject({ counts: { accepted: 1, dropped: 2 } })
})
