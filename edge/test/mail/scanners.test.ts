// Tests that programs with a browser's name, which fetch a mail before its reader, do not count.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FunnelAnswer } from '../../../contract/api.ts'
import { type GivenMails, givenMails, type SentMail } from '../support/given-mails.ts'

const MINUTE_MS = 60_000
const LINKS = ['a', 'b', 'c', 'd', 'e'].map((name) => `<a href="https://shop.example/${name}">${name}</a>`).join(' ')

let mails: GivenMails
let campaignId: string
let aheadMs = 0
let sent: SentMail

beforeAll(async () => {
  const clock = { now: () => Date.now() + aheadMs }
  mails = await givenMails({ TRUSTED_PROXIES: '1' }, { clock })
})
afterAll(() => mails.edge.stop())

let campaigns = 0
beforeEach(async () => {
  aheadMs = 0
  const name = `scanned-${++campaigns}`
  campaignId = await mails.publishMail(name, { html: LINKS })
  sent = await mails.sendMail(name)
})

const visit = (path: string, from: string) => mails.visit(path, { headers: { 'x-forwarded-for': from } })
const events = async () =>
  (await mails.timelineOf(sent.messageId)).slice(1).map((one) => `${one.eventType} ${one.automated}`)
async function funnel() {
  const path = `/v1/campaigns/${campaignId}/stats?channel=email`
  const { steps } = (await mails.edge.call<FunnelAnswer>('GET', path, { key: mails.key })).body
  return steps.map(({ count }) => count)
}

test('five links and the pixel by two addresses are automated; one click ten minutes later counts', async () => {
  expect(sent.clicks).toHaveLength(5)
  for (const [nth, path] of [sent.open, ...sent.clicks].entries()) {
    const answer = await visit(path, nth % 2 === 0 ? '192.0.2.1' : '198.51.100.7')
    expect([200, 302]).toContain(answer.status)
  }
  expect((await events()).toSorted()).toEqual(['clicked true', 'opened true', 'read true'])
  expect(await funnel()).toEqual([1, 0, 0, 0])
  aheadMs = 10 * MINUTE_MS
  await visit(sent.clicks[1] ?? '', '192.0.2.1')
  expect((await events()).toSorted()).toEqual(['clicked false', 'opened false', 'read false'])
  expect(await funnel()).toEqual([1, 1, 1, 1])
})

test('a person who opens and clicks two links within 20 seconds counts', async () => {
  const { open, clicks } = sent
  for (const path of [open, clicks[0] ?? '', clicks[1] ?? '']) {
    aheadMs += 6000
    await visit(path, '203.0.113.9')
  }
  expect(await events()).toEqual(['read false', 'opened false', 'clicked false'])
  expect(await funnel()).toEqual([1, 1, 1, 1])
})

test('links that are registered by their tokens are judged as well', async () => {
  for (const path of sent.clicks) {
    const body = { linkToken: path.split('/').at(-1) }
    expect(await mails.edge.call('POST', '/v1/notification/event/register', { body })).toMatchObject({ status: 200 })
  }
  expect(await funnel()).toEqual([1, 0, 0, 0])
})
