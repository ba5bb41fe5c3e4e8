// Tests that an environment moves between deployments of both engines and back: its answers are the same, what waited
// goes on, and nothing is lost or doubled. Both engines, in the run that starts PostgreSQL.

import { createHmac, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer, InboxPage, Page } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { type GivenSmtp, givenSmtp } from '../support/given-smtp.ts'

const folder = mkdtempSync(join(tmpdir(), 'nc-env-moving-'))
const keyFile = join(folder, 'move.key')
writeFileSync(keyFile, randomBytes(32).toString('base64'))

/** Of the environment that moves. */
interface Moved {
  id: string
  secrets: { sdkSecretKey: string; authSecretKey: string; frontApiKey: string }
}

interface Deployment {
  edge: GivenEdge
  json: ReturnType<typeof givenNc>['json']
  nc: ReturnType<typeof givenNc>['nc']
}

let moved: Moved
let smtp: GivenSmtp
let sqlite: Deployment
let postgres: Deployment

async function createDeployment(engine: 'sqlite' | 'postgres'): Promise<Deployment> {
  const MASTER_KEY = randomBytes(32).toString('base64')
  const NODE_NUMBERS = engine === 'sqlite' ? '0-9' : '10-19'
  const SMTP_URL = `smtp://${smtp.host}:${smtp.port}?tls=none`
  const env = { MASTER_KEY, NODE_NUMBERS, SMTP_URL, EMAIL_FROM: 'shop@example.com' }
  const edge = await givenEdge(env, {}, engine)
  return { edge, ...givenNc(edge.settings) }
}

beforeAll(async () => {
  smtp = await givenSmtp()
  ;[sqlite, postgres] = await Promise.all([createDeployment('sqlite'), createDeployment('postgres')])
  const org = sqlite.edge.demo.organisation.id
  moved = await sqlite.json<Moved>(`env create --org ${org} --name moved --production`)
  await sqlite.json(`env change --env ${moved.id} --key-may-manage yes`)
})
afterAll(async () => {
  await Promise.all([sqlite, postgres].map((one) => one?.edge.stop()))
  await smtp?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const key = () => moved.secrets.sdkSecretKey
const call = <T = Record<string, unknown>>({ edge }: Deployment, method: string, path: string, body?: unknown) =>
  edge.call<T>(method, path, { key: key(), ...(body !== undefined && { body }) })
const track = (at: Deployment, event: object) =>
  call<{ eventId: string; duplicate: boolean }>(at, 'POST', '/v1/events/track', { sdkSecretKey: key(), ...event })

async function publish(at: Deployment, definition: object): Promise<string> {
  const { body } = await call<{ id: string }>(at, 'POST', '/v1/campaigns', definition)
  expect(await call(at, 'POST', `/v1/campaigns/${body.id}/publish`)).toMatchObject({ status: 200 })
  return body.id
}

async function signIn({ edge }: Deployment, userId: string): Promise<AuthAnswer> {
  const token = createHmac('sha256', moved.secrets.authSecretKey).update(userId).digest('hex')
  const body = { apiKey: moved.secrets.frontApiKey, userId, token }
  const answer = await edge.call<AuthAnswer>('POST', '/v1/users/auth', { body })
  expect(answer.status).toBe(200)
  return answer.body
}

async function titlesOf(at: Deployment, userId: string): Promise<string[]> {
  const path = `/v1/users/${userId}/inbox?limit=100`
  return (await call<InboxPage>(at, 'GET', path)).body.data.map(({ title }) => title)
}

const mailsOf = () => smtp.mails.map(({ parsed }) => parsed.subject)

/** What the API answers of the environment, apart from what belongs to a deployment. */
async function answersOf(at: Deployment): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  const paths = [
    '/v1/events?limit=100',
    '/v1/deliveries?limit=100',
    '/v1/campaigns?limit=100',
    '/v1/stats',
    '/v1/users?limit=100',
    '/v1/users/ann/inbox?limit=100',
    '/v1/users/ann',
    '/v1/topics/all/subscribers',
    '/v1/sources',
    '/v1/enrichers',
    '/v1/suppressions?userId=bob',
    '/v1/email/integrations',
  ]
  for (const path of paths) {
    const { status, body } = await call(at, 'GET', path)
    expect([path, status]).toEqual([path, 200])
    answers[path] = JSON.parse(
      JSON.stringify(body)
        .replaceAll(at.edge.url, '')
        .replace(/"epoch":"[^"]*"/g, '"epoch":"-"'),
    )
  }
  return answers
}

const later = (key: string, pause: string, step: object) => ({
  key,
  name: key,
  trigger: { event: key },
  steps: [
    { id: 'pause', type: 'delay', for: pause },
    { id: 'tell', ...step },
  ],
})

async function setQuietHours(at: Deployment, quietHours: object | null): Promise<void> {
  const session = await signIn(at, 'eve')
  const { body } = await at.edge.call<object>('GET', '/v1/inbox/preferences', { session })
  const answer = await at.edge.call('PUT', '/v1/inbox/preferences', { session, body: { ...body, quietHours } })
  expect(answer.status).toBe(200)
}

async function fill(at: Deployment): Promise<{ eventId: string }> {
  await publish(at, inboxCampaign('told', 'told'))
  await publish(at, later('later', 'PT30S', { type: 'inbox', title: 'After the move' }))
  await publish(at, {
    ...{ key: 'mailed', name: 'mailed', trigger: { event: 'mailed' } },
    steps: [{ id: 'mail', type: 'email', subject: 'Queued mail', html: '<p>Hello</p>' }],
  })
  await publish(at, {
    ...{ key: 'gathered', name: 'gathered', trigger: { event: 'gathered' } },
    steps: [
      { id: 'gather', type: 'digest', window: 'PT30S' },
      { id: 'tell', type: 'inbox', title: '{{ events.size }} gathered' },
    ],
  })
  for (const userId of ['ann', 'bob', 'eve']) {
    const user = { email: `${userId}@example.com`, name: userId }
    for (const name of ['one', 'two', 'three']) await track(at, { name: 'told', userId, properties: { name }, user })
  }
  expect(await call(at, 'PUT', '/v1/topics/all/subscribers', { add: ['ann', 'bob'] })).toMatchObject({ status: 200 })
  await at.json(`suppression add --env ${moved.id} --user bob`)
  await call(at, 'POST', '/v1/sources', { name: 'chat', provider: 'intercom' })
  await call(at, 'PUT', '/v1/enrichers/profile', { url: 'https://enricher.example/x' })
  const session = await signIn(at, 'ann')
  const { data } = (await at.edge.page(session)) as InboxPage
  await at.edge.register(session, [{ messageId: data[0]?.id ?? '', eventType: 'clicked' }])
  await at.edge.call('PATCH', `/v1/inbox/messages/${data[1]?.id}`, { session, body: { archived: true } })
  const { body } = await track(at, { name: 'told', userId: 'ann', properties: { name: 'once' }, idempotencyKey: 'k1' })
  // Waits, a window with two events, and a mail that the quiet hours of its user hold.
  await track(at, { name: 'later', userId: 'ann' })
  await track(at, { name: 'gathered', userId: 'ann' })
  await track(at, { name: 'gathered', userId: 'ann' })
  await setQuietHours(at, { start: '00:00', end: '23:59', timeZone: 'UTC' })
  await track(at, { name: 'mailed', userId: 'eve' })
  const held = async () => (await call<Page<object>>(at, 'GET', '/v1/deliveries?channel=email')).body.data
  await expect.poll(held).toMatchObject([{ status: 'queued', statusReason: 'quiet-hours' }])
  return { eventId: body.eventId }
}

/** Moves the environment. @returns its answers before */
async function move(from: Deployment, to: Deployment, name: string): Promise<void> {
  const file = join(folder, `${name}.ndjson.gz`)
  await from.json(`env export --env ${moved.id} --to ${file} --key-file ${keyFile}`)
  expect(await track(from, { name: 'told', userId: 'ann' })).toMatchObject({
    status: 503,
    body: { code: 'environment/closed' },
  })
  await to.json(`env import --from ${file} --key-file ${keyFile} --org ${to.edge.demo.organisation.id}`)
  expect((await to.nc(`env import --from ${file} --key-file ${keyFile}`)).err).toContain('in this deployment already')
  expect(await track(to, { name: 'told', userId: 'ann' })).toMatchObject({ status: 503 })
  await to.json(`env open --env ${moved.id}`)
  await expect.poll(async () => (await call(to, 'GET', '/v1/users/ann')).status).toBe(200)
}

test('an environment moves from SQLite to PostgreSQL and back, with the same answers, and once for all', async () => {
  const { eventId } = await fill(sqlite)
  const former = await signIn(sqlite, 'ann')
  const before = await answersOf(sqlite)
  await move(sqlite, postgres, 'there')
  expect(await answersOf(postgres)).toEqual(before)
  expect(await postgres.json('stats rebuild')).toMatchObject({ differed: 0 })

  const again = { name: 'told', userId: 'ann', properties: { name: 'once' }, idempotencyKey: 'k1' }
  expect((await track(postgres, again)).body).toMatchObject({ eventId, duplicate: true })
  // The user number of the former deployment is not one of this.
  expect(await postgres.edge.call('GET', '/v1/inbox/messages', { session: former })).toMatchObject({ status: 401 })
  const session = await signIn(postgres, 'ann')
  expect(session.inbox).toMatchObject({ ...former.inbox, epoch: expect.not.stringContaining(former.inbox.epoch) })

  const inbox = await titlesOf(postgres, 'ann')
  await expect.poll(() => titlesOf(postgres, 'ann')).toHaveLength(inbox.length + 2)
  expect((await titlesOf(postgres, 'ann')).slice(0, 2).sort()).toEqual(['2 gathered', 'After the move'])
  expect(mailsOf()).toEqual([])
  await setQuietHours(postgres, null)
  await smtp.received(1)
  // The mailbox has the mail before the server has recorded it.
  await expect.poll(async () => JSON.stringify(await answersOf(postgres))).not.toContain('"status":"sending"')

  const there = await answersOf(postgres)
  const name = 'moved'
  await sqlite.json(['env', 'delete', '--env', moved.id, '--confirm', name])
  const file = join(folder, 'back.ndjson')
  await postgres.json(`env export --env ${moved.id} --to ${file} --key-file ${keyFile}`)
  const org = sqlite.edge.demo.organisation.id
  const importBack = () => sqlite.nc(`env import --from ${file} --key-file ${keyFile} --org ${org}`)
  await expect.poll(async () => (await importBack()).err).toBe('')
  await sqlite.json(`env open --env ${moved.id}`)
  await expect.poll(async () => (await call(sqlite, 'GET', '/v1/users/ann')).status).toBe(200)
  expect(await answersOf(sqlite)).toEqual(there)
  expect(await sqlite.json('stats rebuild')).toMatchObject({ differed: 0 })
  expect(mailsOf()).toEqual(['Queued mail'])
})
