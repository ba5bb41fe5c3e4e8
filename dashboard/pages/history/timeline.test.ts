// Tests the order and the words of what happened to a message.

import { expect, test } from 'vitest'
import type { DeliveryDetailAnswer } from '../../../contract/resources/delivery.ts'
import { momentsOf } from './timeline.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 25, 12, 0, second)).toISOString()

function given(fields: Partial<DeliveryDetailAnswer>): DeliveryDetailAnswer {
  const event = { name: 'order.shipped', receivedAt: at(0) }
  return {
    createdAt: at(1),
    channel: 'inbox',
    deliveredAt: at(1),
    status: 'delivered',
    statusReason: null,
    lastError: null,
    expiresAt: null,
    event,
    timeline: [],
    ...fields,
  } as DeliveryDetailAnswer
}
const NOW = Date.parse(at(59))
const namesOf = (detail: DeliveryDetailAnswer) => momentsOf(detail, NOW).map(({ name }) => name)

test('the event comes first, then the delivery events by time, with what is special about them', () => {
  const entry = { source: 'inbox', implied: false, automated: false }
  const detail = given({
    timeline: [
      { ...entry, eventType: 'opened', at: at(9) },
      { ...entry, eventType: 'send', at: at(1) },
      { ...entry, eventType: 'read', at: at(9), implied: true },
    ],
  })
  expect(namesOf(detail)).toEqual(['event received', 'send', 'opened', 'read'])
  expect(momentsOf(detail)[3]?.notes).toEqual(['inbox', 'implied by a later event'])
})

test('a message that failed shows its last error', () => {
  const failed = given({ status: 'failed', statusReason: 'render-error', lastError: 'undefined filter: foo' })
  expect(momentsOf(failed)[1]).toMatchObject({ name: 'failed', notes: ['render-error', 'undefined filter: foo'] })
})

test('a message that was not sent says why', () => {
  const [, skipped] = momentsOf(given({ status: 'skipped', statusReason: 'preference' }))
  expect(skipped).toMatchObject({ name: 'skipped', notes: ['preference'], at: at(1) })
})

test('an event that retention has removed is left out, and an expired message says so', () => {
  const sent = { eventType: 'send', at: at(1), source: 'inbox', implied: false, automated: false } as const
  expect(namesOf(given({ event: null, timeline: [sent], expiresAt: at(30) }))).toEqual(['send', 'expired'])
  expect(namesOf(given({ event: null, timeline: [sent], expiresAt: at(60) }))).toEqual(['send'])
})

test('the provider of a mail reports when it was delivered', () => {
  const sent = { eventType: 'send', at: at(2), source: 'server', implied: false, automated: false } as const
  const mail = given({ channel: 'email', timeline: [sent], deliveredAt: at(5) })
  expect(namesOf(mail)).toEqual(['event received', 'send', 'delivered'])
  expect(namesOf({ ...mail, deliveredAt: null })).toEqual(['event received', 'send'])
})
