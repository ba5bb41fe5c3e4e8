// Tests why a user would get the messages of a campaign, or not: each step in a sentence, with what changes it; nothing is kept.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import type { ExplanationAnswer } from '../../../contract/resources/campaign-explanation.ts'
import { signedIn } from '../isolation/credentials.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'

let given: GivenEdge
let key: string
let id: string

const definition = {
  name: 'Order paid',
  category: 'orders',
  trigger: { event: 'why.paid', where: 'event.properties.total > 100' },
  steps: [
    { id: 'tell', type: 'inbox', title: 'Paid {{ event.properties.total }}', locales: { fr: { title: 'Payé' } } },
    {
      id: 'way',
      type: 'branch',
      branches: [
        { key: 'big', when: 'event.properties.total > 500', steps: [] },
        { key: 'rest', else: true, steps: [] },
      ],
    },
    { id: 'pause', type: 'delay', for: 'PT10M' },
    { id: 'mail', type: 'email', subject: 'Paid', markdown: 'x', unless: { read: 'tell' } },
    { id: 'end', type: 'exit', reason: 'all told' },
  ],
}
beforeAll(async () => {
  given = await givenEdge()
  key = given.demo.environments.dev.sdkSecretKey
  id = await given.publish({ key: 'why', ...definition })
  await put('zoe', { name: 'Zoë', email: 'zoe@why.example', timeZone: 'Europe/Vienna', locale: 'fr' })
})
afterAll(() => given.stop())

const put = (userId: string, body: object) => given.call('PUT', `/v1/users/${userId}`, { key, body })
async function explain(body: object, of = id): Promise<ExplanationAnswer> {
  const answer = await given.call<ExplanationAnswer>('POST', `/v1/campaigns/${of}/explain`, { key, body })
  expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 })
  return answer.body
}
const sentences = ({ steps }: ExplanationAnswer) =>
  Object.fromEntries(steps.map((step) => [step.stepId, step.sentence]))
const paid = { properties: { total: 120 } }
/** One step alone, of a definition that is not saved. */
async function explainOne(step: object, userId = 'zoe', more: object = {}) {
  const { sentence: _, ...answer } = await explain({
    userId,
    definition: { category: 'orders', trigger: { event: 'why.paid' }, steps: [step], ...more },
  })
  return { ...answer.steps[0], doubts: answer.doubts }
}

test('each step in order, with its time and the values that it read', async () => {
  const answer = await explain({ userId: 'zoe', event: paid })
  expect(answer).toMatchObject({ matched: true, sentence: 'why.paid begins a run for Zoë.' })
  expect(sentences(answer)).toEqual({
    tell: 'Would be put into the inbox of Zoë: “Payé”.',
    way: 'Would take the branch rest: else (event.properties.total is 120).',
    pause: expect.stringMatching(/^Would wait 10 minutes, until \d+ \w+ 20\d\d at \d\d:\d\d/),
    mail: 'Would be sent by mail to zoe@why.example: tell is not read in the inbox after 10 minutes. It is kept in the mailbox, because no account for mail is set.',
    end: 'Would end here: all told.',
  })
  const at = answer.steps.map((step) => Date.parse(step.at))
  expect((at[3] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(600_000)
})

test('an event that begins no run: its name, or the condition with its values', async () => {
  expect(await explain({ userId: 'zoe', event: { name: 'why.other' } })).toMatchObject({
    matched: false,
    sentence: 'No run begins: the trigger is on why.paid, not on why.other.',
    remedy: { kind: 'trigger' },
    steps: [],
  })
  expect(await explain({ userId: 'zoe', event: { properties: { total: 5 } } })).toMatchObject({
    matched: false,
    sentence: 'No run begins: the condition is false (event.properties.total is 5).',
    remedy: { kind: 'condition', path: 'trigger.where' },
  })
})

test('what holds a message back, with its remedy', async () => {
  const inbox = { id: 'one', type: 'inbox', title: 'x' }
  const mail = { id: 'one', type: 'email', subject: 'x', markdown: 'x' }
  await put('bare', { name: 'Bea' })
  expect(await explainOne(mail, 'bare')).toMatchObject({
    outcome: 'skipped',
    reason: expect.any(String),
    sentence: 'Held back: Bea has no e-mail address.',
    remedy: { kind: 'user', userId: 'bare' },
  })
  await put('held', { name: 'Hal', email: 'hal@why.example' })
  await given.call('POST', '/v1/suppressions', { key, body: { userId: 'held', channel: 'inbox' } })
  await given.call('POST', '/v1/suppressions', { key, body: { address: 'hal@why.example', reason: 'bounce' } })
  expect(await explainOne(inbox, 'held')).toMatchObject({
    sentence: expect.stringMatching(/^Held back: Hal is suppressed on the inbox since \d+ \w+ 20\d\d \(manual\)\.$/),
    remedy: { kind: 'suppression', channel: 'inbox', userId: 'held' },
  })
  expect(await explainOne(mail, 'held')).toMatchObject({
    sentence: expect.stringMatching(/^Held back: hal@why.example is suppressed by mail since .* \(bounce\)\.$/),
    remedy: { kind: 'suppression', channel: 'email', address: 'hal@why.example' },
  })
  await put('chose', { name: 'Cho' })
  const session = await signedIn(given, given.demo.environments.dev, 'chose')
  const categories = [{ key: 'orders', channels: { inbox: false } }]
  const changed = await given.call('PUT', '/v1/inbox/preferences', { session, body: { categories } })
  expect(changed.status).toBe(200)
  expect(await explainOne(inbox, 'chose')).toMatchObject({
    outcome: 'skipped',
    sentence: expect.stringMatching(/^Held back: Cho switched off orders on the inbox on \d+ \w+ 20\d\d\.$/),
    remedy: { kind: 'preference', userId: 'chose', category: 'orders', channel: 'inbox' },
  })
})

test('a throttle that is full ends the run, and a digest joins its open window', async () => {
  const steps = [
    { id: 'few', type: 'throttle', limit: 1, window: 'PT1H' },
    { id: 'tell', type: 'inbox', title: 'x' },
  ]
  const throttled = await given.publish({ key: 'why-throttle', trigger: { event: 'why.throttled' }, steps })
  expect(sentences(await explain({ userId: 'zoe' }, throttled))).toMatchObject({
    few: 'Would pass: 0 of 1 runs in 1 hour are taken.',
    tell: 'Would be put into the inbox of Zoë: “x”.',
  })
  await given.track({ name: 'why.throttled', userId: 'zoe' })
  const { steps: ended } = await explain({ userId: 'zoe' }, throttled)
  expect(ended).toMatchObject([
    { outcome: 'skipped', reason: 'throttled', sentence: expect.stringContaining('Would end here: 1 of 1 runs') },
    { outcome: 'skipped', reason: 'throttled', sentence: 'Not reached: the run ends before.' },
  ])
  const digest = [
    { id: 'gather', type: 'digest', window: 'PT1H' },
    { id: 'tell', type: 'inbox', title: '{{ events.size }}' },
  ]
  const gathered = await given.publish({ key: 'why-digest', trigger: { event: 'why.gathered' }, steps: digest })
  expect(sentences(await explain({ userId: 'zoe' }, gathered))).toEqual({
    gather: 'Would gather the events of Zoë for 1 hour, and go on with all of them.',
    tell: 'Would be put into the inbox of Zoë after 1 hour: “1”.',
  })
  await given.track({ name: 'why.gathered', userId: 'zoe' })
  const { steps: joined } = await explain({ userId: 'zoe' }, gathered)
  expect(joined[0]).toMatchObject({ outcome: 'skipped', reason: 'digested' })
  expect(joined[0]?.sentence).toMatch(/^Would join the digest that began on /)
})

test('other steps, and what fails', async () => {
  const wait = { id: 'w', type: 'waitFor', event: 'why.sent', timeout: 'PT90M', then: [], onTimeout: [] }
  expect(await explainOne(wait)).toMatchObject({
    sentence: 'Would wait up to 1 hour 30 minutes for why.sent. Here it does not come.',
  })
  expect(await explainOne({ id: 'e', type: 'enrich', enricher: 'nobody' })).toMatchObject({
    sentence: 'Would fail: there is no enricher nobody in this environment.',
    remedy: { kind: 'enricher', enricher: 'nobody' },
  })
  const until = { id: 'd', type: 'delay', until: '{{ event.properties.at }}' }
  expect(await explainOne(until)).toMatchObject({ outcome: 'failed', remedy: { kind: 'step', stepId: 'd' } })
})

test('a tracked event explains as itself; doubts name what is not published, known, or about this user', async () => {
  const { body } = await given.track({ name: 'why.paid', userId: 'zoe', properties: { total: 800 } })
  const { eventId } = body
  const answer = await explain({ userId: 'nobody', eventId })
  expect(sentences(answer).way).toBe('Would take the branch big: the condition holds (event.properties.total is 800).')
  expect(answer.doubts.map(({ kind }) => kind)).toEqual(['unknown-category', 'unknown-user', 'other-user'])
  const { body: draft } = await given.call<{ id: string }>('POST', '/v1/campaigns', {
    key,
    body: { key: 'why-draft', ...definition },
  })
  expect((await explain({ userId: 'zoe', event: paid }, draft.id)).doubts).toContainEqual({
    kind: 'not-published',
    message: expect.any(String),
    remedy: { kind: 'publish' },
  })
  const refused = await given.call<{ code: string }>('POST', `/v1/campaigns/${id}/explain`, {
    key,
    body: { userId: 'zoe', eventId: 'evt_1' },
  })
  expect(refused.body.code).toBe('event/not-found')
})

test('nothing is written: no event, no run, no message', async () => {
  const count = async () => {
    const read = (path: string) => given.call<Page<object>>('GET', `${path}?userId=zoe&limit=100`, { key })
    return Promise.all(['/v1/events', '/v1/deliveries'].map(async (path) => (await read(path)).body.data.length))
  }
  const before = await count()
  await explain({ userId: 'zoe', event: paid })
  expect(await count()).toEqual(before)
})
