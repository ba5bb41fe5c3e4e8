// Tests that a closed environment answers all its calls 503 with Retry-After, that its background work rests, and that
// nothing is lost when it is opened again.

import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import { createCommandContext } from '../../cli/command-context.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenDashboard } from '../support/given-dashboard.ts'
import { givenNc } from '../support/given-nc.ts'
import { givenSources, signedHeaders } from '../support/given-sources.ts'

let given: GivenEdge
let env: string
let key: string
let session: AuthAnswer
const nc = () => givenNc(given.settings)

beforeAll(async () => {
  given = await givenEdge()
  env = given.demo.environments.dev.id
  key = given.demo.environments.dev.sdkSecretKey
  await given.publish(inboxCampaign('told', 'told'))
  await given.publish(
    inboxCampaign('later', 'later', {
      steps: [
        { id: 'pause', type: 'delay', for: 'PT1S' },
        { id: 'tell', type: 'inbox', title: 'Later' },
      ],
    }),
  )
  session = await given.signIn('ann')
})
afterAll(() => given.stop())

const messagesOf = async (who: AuthAnswer) => (await given.page(who)).data.map(({ title }) => title)
const closed = () => ({ status: 503, body: { code: 'environment/closed', message: expect.stringContaining(env) } })
const signInBody = () => ({
  apiKey: given.demo.environments.dev.frontApiKey,
  userId: 'ann',
  token: 'x',
})

/** The commit of an event asks the store; the other calls learn it within a second. */
const statuses = async (): Promise<number[]> => {
  const answers = await Promise.all([
    given.track({ name: 'told-to-nobody', userId: 'probe' }),
    given.call('GET', '/v1/campaigns', { key }),
    given.call('GET', '/v1/inbox/messages', { session }),
  ])
  return answers.map(({ status }) => status)
}

async function close(flags = ''): Promise<void> {
  await nc().json(`env close --env ${env}${flags}`)
  await expect.poll(statuses).toEqual([503, 503, 503])
}

async function open(flags = ''): Promise<void> {
  await nc().json(`env open --env ${env}${flags}`)
  await expect.poll(statuses).toEqual([202, 200, 200])
}

test('all calls of a closed environment are answered 503 with Retry-After, and the others are served', async () => {
  const sources = givenSources(given)
  const source = await sources.create('intercom')
  const { body: integration } = await given.call<{ webhookUrl: string }>('POST', '/v1/email/integrations', {
    key,
    body: { name: 'by post', provider: 'sendgrid', credentials: { apiKey: 'SG.x', webhookPublicKey: '' } },
  })
  const dashboard = givenDashboard(given)
  const admin = await dashboard.signIn(given.demo.dashboard.email, given.demo.dashboard.password)
  await close()
  const event = { sdkSecretKey: key, name: 'told', userId: 'ann' }
  const delivered = JSON.stringify({ id: 'd1', topic: 'x' })
  const connector = `/v1/connectors/intercom/${source.id}`
  const secret = source.verificationSecret
  const answers = await Promise.all([
    given.call('POST', '/v1/events/track', { key, body: event }),
    given.call('POST', '/v1/events/track/batch', { key, body: { sdkSecretKey: key, events: [event] } }),
    given.call('POST', '/v1/users/auth', { body: signInBody() }),
    given.call('GET', '/v1/inbox/messages', { session }),
    given.call('GET', '/v1/inbox/changes?since=0', { session }),
    given.call('POST', '/v1/inbox/read-all', { session, body: { seq: 1 } }),
    given.call('POST', '/v1/notification/event/register', { session, body: { events: [] } }),
    given.call('GET', '/v1/campaigns', { key }),
    given.call('PUT', '/v1/users/ann', { key, body: { name: 'Ann' } }),
    given.call('GET', '/v1/stats', { key }),
    given.call('POST', connector, {
      headers: signedHeaders('intercom', { secret, body: delivered, url: '' }),
      body: {},
    }),
    admin.call('GET', `/v1/dashboard/environments/${env}/campaigns`),
    admin.call('PUT', `/v1/dashboard/environments/${env}`, { body: { name: 'other' } }),
    ...(integration.webhookUrl === undefined
      ? []
      : [given.call('POST', new URL(integration.webhookUrl).pathname, { body: [] })]),
  ])
  for (const answer of answers) {
    expect(answer).toMatchObject(closed())
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(await given.track({ name: 'told', userId: 'ann' }, 'prod')).toMatchObject({ status: 202 })
  const shown = await admin.call('GET', `/v1/dashboard/environments/${env}`)
  expect(shown).toMatchObject({ status: 200, body: { state: 'closed', closedAt: expect.any(String), movedTo: null } })
  expect((await nc().nc(`user create --env ${env} --user bob`)).err).toContain('closed')
  await open()
  expect(await messagesOf(session)).toEqual([])
})

/** Connects by a new socket. @returns It with its first frame, or the code of its refusal. */
async function connect(): Promise<{ socket: Socket; frame?: unknown; code?: string }> {
  const { seq, epoch } = session.inbox
  const { url, path } = session.realtime
  const auth = { token: session.sessionToken, since: seq, epoch }
  const only = { forceNew: true, reconnection: false } as const
  const socket = io(new URL(url).origin, { path, transports: ['websocket'], ...only, auth })
  return new Promise((resolve) => {
    socket.once('inbox', (frame) => resolve({ socket, frame }))
    socket.once('connect_error', (error) => {
      socket.disconnect()
      resolve({ socket, code: (error as { data?: { code?: string } }).data?.code ?? error.message })
    })
  })
}

/** That an environment is open is known within a second, by each part of the server. */
async function connectWhenOpen(): Promise<{ socket: Socket; frame?: unknown }> {
  const last: { socket?: Socket; frame?: unknown } = {}
  await expect.poll(async () => Object.assign(last, await connect()).frame).toBeDefined()
  return last as { socket: Socket; frame: unknown }
}

test('a socket of a closed environment ends, its handshakes are refused by the code, and its session goes on', async () => {
  const { socket } = await connectWhenOpen()
  const ended = new Promise((resolve) => socket.once('disconnect', resolve))
  await close()
  await ended
  expect(await connect()).toMatchObject({ code: 'environment/closed' })
  await open()
  const again = await connectWhenOpen()
  expect(again.frame).toMatchObject({ epoch: session.inbox.epoch, changes: [] })
  again.socket.disconnect()
})

test('runs that fall due in a closed environment wait, while those of others go on', async () => {
  const bob = await given.signIn('bob')
  await given.track({ name: 'later', userId: 'bob' })
  await close()
  const context = createCommandContext(given.settings)
  const { stores } = await context.tools()
  // The run is stored, and nothing is due.
  const found = { run: { count: 0 }, mail: { count: 0 } }
  expect(await stores.waitings.read(Number.MAX_SAFE_INTEGER)).toMatchObject(found)
  expect(await stores.waits.nextDueInMs(Date.now())).toBeNull()
  await context.close()
  await open()
  await expect.poll(() => messagesOf(bob)).toEqual(['Later'])
})

test('callers of an environment that moved learn its address, and one that was exported is opened on purpose alone', async () => {
  await close(' --moved-to https://eu2.example.com')
  await expect
    .poll(async () => (await given.track({ name: 'told', userId: 'ann' })).body)
    .toMatchObject({
      code: 'environment/closed',
      message: expect.stringContaining('https://eu2.example.com'),
    })
  await open()
})
