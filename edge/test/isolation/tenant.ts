// Creates a tenant with an item in every list: a user with profile, topic, campaigns, events, runs, messages.
// Each of its texts contains its mark.

import { vi } from 'vitest'
import type { AuthAnswer, InboxPage, Page } from '../../../contract/api.ts'
import { CHANNELS } from '../../../contract/delivery.ts'
import type { AgainJobAnswer, BegunAgainAnswer } from '../../../contract/resources/again-job.ts'
import type { GivenEdge } from '../support/given.ts'
import type { GivenMailApi } from '../support/given-mail-api.ts'
import { EVENTS_OF } from '../support/provider-events.ts'
import { type Keys, signedIn } from './credentials.ts'

/** Ids that a caller may name in a path, a query or a body. */
export interface Names {
  userId: string
  topic: string
  eventName: string
  eventId: string
  runId: string
  messageId: string
  /** Of a mail in the mailbox. */
  mailId: string
  campaignId: string
  campaignKey: string
  enricher: string
  locale: string
  integrationId: string
  sourceId: string
  doubtId: string
  jobId: string
  category: string
  entity: string
  branch: string
  correlationId: string
  idempotencyKey: string
  epoch: string
}

export interface Tenant {
  keys: Keys
  names: Names
  mark: string
  signIn(): Promise<AuthAnswer>
}

/** A tag whose variant is the tenant's. */
function localeOf(mark: string): string {
  return `de-${mark
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(-8)
    .padStart(8, '0')}`
}

/** Well-formed names that do not exist, as long as real ones, so that answers have equal lengths. */
export const UNKNOWN_NAMES: Names = {
  userId: 'nobody-user',
  topic: 'nobody-topic',
  eventName: 'nobody.shipped',
  eventId: 'evt_00000000011',
  runId: 'run_00000000011',
  messageId: 'msg_00000000011',
  mailId: 'msg_00000000012',
  campaignId: 'cmp_00000000011',
  campaignKey: 'nobody-ship',
  enricher: 'nobody-data',
  locale: localeOf('nobody'),
  integrationId: 'int_00000000011',
  sourceId: `src_${'0'.repeat(32)}`,
  doubtId: `dbt_${'0'.repeat(32)}`,
  jobId: 'job_00000000011',
  category: 'nobody-orders',
  entity: 'order:nobody-1',
  branch: 'nobody-branch',
  correlationId: 'nobody-corr',
  idempotencyKey: 'nobody-once',
  epoch: 'nobody-epoch-1',
}

/** Creates the tenant. Two tenants in one environment have different users (`userId`) and marks. */
export async function createTenant(given: GivenEdge, mail: GivenMailApi, keys: Keys, mark: string): Promise<Tenant> {
  const key = keys.sdkSecretKey
  const call = async <T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await given.call<T>(method, path, { key, headers, ...(body === undefined ? {} : { body }) })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const userId = `${mark}-user`
  const path = `/v1/users/${userId}`
  await call('PUT', path, {
    email: `${mark}@isolation.example`,
    name: `${mark} name`,
    attributes: { note: `${mark} note` },
  })
  await call('PUT', `/v1/topics/${mark}-topic/subscribers`, { add: [userId, `${mark}-second`], remove: [] })
  await call('PUT', `/v1/topics/${mark}-other-topic/subscribers`, { add: [userId], remove: [] })

  const eventName = `${mark}.shipped`
  const campaign = await call<{ id: string }>('POST', '/v1/campaigns', campaignOf(mark, `${mark}-ship`, eventName))
  await call('POST', `/v1/campaigns/${campaign.id}/publish`)
  await call('POST', `/v1/campaigns/${campaign.id}/publish`)
  const more = await call<{ id: string }>('POST', '/v1/campaigns', campaignOf(mark, `${mark}-more`, `${mark}.more`))
  await call('POST', `/v1/campaigns/${more.id}/publish`)

  // An address that the outbound guard refuses, so that no call leaves the machine.
  await call('PUT', `/v1/enrichers/${mark}-data`, { url: `https://192.0.2.1/${mark}-path` })

  for (const locale of [localeOf(mark), 'fr'])
    await call('PUT', `/v1/translations/${locale}`, { hello: `${mark} hello` })
  for (const name of [`${mark}-data`, 'more']) await call('PUT', `/v1/snippets/${name}`, { source: `${mark} snippet` })

  const mailId = await keepTwoMails(call, key, mark, userId)
  const integration = await call<{ id: string }>('POST', '/v1/email/integrations', {
    ...INTEGRATION,
    credentials: { ...mail.credentialsOf(EVENTS_OF.POSTMARK), serverToken: 'isolation-token' },
    name: `${mark} mail`,
    from: { address: `${mark}-from@isolation.example` },
  })
  await call('POST', '/v1/email/integrations', { ...INTEGRATION, name: `${mark} second mail` })

  const source = await call<{ id: string }>('POST', '/v1/sources', { ...SOURCE, name: `${mark} source` })
  await call('POST', '/v1/sources', { ...SOURCE, name: `${mark} second source` })
  await keepTwoDeliveries(given, call, source.id)

  const track = (body: object) =>
    call<{ eventId: string }>(
      'POST',
      '/v1/events/track',
      { sdkSecretKey: key, name: eventName, properties: { text: `${mark} property` }, ...body },
      { 'x-correlation-id': `${mark}-corr` },
    )
  await track({ userIds: [userId, `${mark}-second`] })
  await track({ userId, idempotencyKey: `${mark}-once` })
  const { eventId } = await track({ userIds: [userId, `${mark}-second`] })
  await track({ name: `${mark}.unheard`, userId })
  await track({ name: `${mark}.more`, userId: `${mark}-second` })
  for (const channel of CHANNELS) await call('POST', '/v1/suppressions', { userId: `${mark}-second`, channel })
  const jobId = await runTwiceAgain(call, `${mark}.unheard`)
  const { data: doubts } = await call<Page<{ id: string }>>(
    'GET',
    `/v1/doubts?subjectType=event&subjectId=${mark}.unheard`,
  )
  // Written before answers are compared.
  await call('GET', '/v1/event-names')
  const { data: runs } = await call<Page<{ runId: string; userId: string }>>('GET', `/v1/events/${eventId}/runs`)

  const signIn = () => signedIn(given, keys, userId)
  const session = await signIn()
  const { data: messages, inbox } = (await given.call<InboxPage>('GET', '/v1/inbox/messages', { session })).body
  const names = {
    userId,
    topic: `${mark}-topic`,
    eventName,
    eventId,
    runId: runs.find((run) => run.userId === userId)?.runId ?? '',
    messageId: messages[0]?.id ?? '',
    mailId,
    campaignId: campaign.id,
    campaignKey: `${mark}-ship`,
    enricher: `${mark}-data`,
    locale: localeOf(mark),
    integrationId: integration.id,
    sourceId: source.id,
    doubtId: doubts[0]?.id ?? '',
    jobId,
    category: `${mark}-orders`,
    entity: `order:${mark}-1`,
    branch: `${mark}-branch`,
    correlationId: `${mark}-corr`,
    idempotencyKey: `${mark}-once`,
    epoch: inbox.epoch,
  }
  const empty = Object.entries(names).find(([, value]) => value === '')
  if (empty !== undefined || messages.length !== 3)
    throw new Error(`The tenant ${mark} lacks ${empty?.[0] ?? 'messages'}.`)
  return { keys, names, mark, signIn }
}

type CallAs = <T>(method: string, path: string, body?: unknown) => Promise<T>

/** Runs events again by two jobs. @returns the last one; both have ended, so they change nothing while the routes are called */
async function runTwiceAgain(call: CallAs, name: string): Promise<string> {
  let jobId = ''
  for (const _ of [1, 2]) {
    const request = { kind: 'events', filter: { name }, pace: 6000 }
    jobId = (await call<BegunAgainAnswer>('POST', '/v1/again', request)).job?.jobId ?? ''
    await vi.waitFor(
      async () => {
        const { state } = await call<AgainJobAnswer>('GET', `/v1/again/${jobId}`)
        if (state !== 'done') throw new Error(`The job is ${state}.`)
      },
      { timeout: 60_000 },
    )
  }
  return jobId
}

/**
 * Sends two mails to the mailbox, before an integration takes them; a later tenant of the environment names a mail of
 * the first. @returns the id of one
 */
async function keepTwoMails(call: CallAs, sdkSecretKey: string, mark: string, userId: string): Promise<string> {
  const step = { id: 'letter', type: 'email', subject: `${mark} subject`, markdown: `${mark} letter` }
  const letter = { key: `${mark}-letter`, name: `${mark} letter`, trigger: { event: `${mark}.letter` }, steps: [step] }
  const { id } = await call<{ id: string }>('POST', '/v1/campaigns', letter)
  await call('POST', `/v1/campaigns/${id}/publish`)
  for (const _ of [1, 2]) await call('POST', '/v1/events/track', { sdkSecretKey, name: `${mark}.letter`, userId })
  const list = async () => (await call<Page<{ messageId: string }>>('GET', '/v1/email/mailbox')).data
  const [first] = await vi.waitFor(
    async () => {
      const kept = await list()
      if (kept.length < 2) throw new Error(`${kept.length} of two mails are kept`)
      return kept
    },
    { timeout: 60_000 },
  )
  return first?.messageId ?? ''
}

/** A source without deliveries. */
export const SOURCE = { name: 'isolation', provider: 'stripe' }

/** Its API has an address that the outbound guard refuses, so that no call leaves the machine. */
export const INTEGRATION = {
  name: 'isolation',
  provider: 'postmark',
  credentials: { serverToken: 'isolation-token', baseUrl: 'https://192.0.2.1' },
  from: { address: 'sender@isolation.example' },
}

export function campaignOf(mark: string, key: string, event: string) {
  const inboxStep = {
    id: 'tell',
    type: 'inbox',
    title: `${mark} title`,
    body: `${mark} body`,
    entity: `order:${mark}-1`,
  }
  const branches = [{ key: `${mark}-branch`, else: true, steps: [inboxStep] }]
  return {
    key,
    name: `${mark} campaign`,
    category: `${mark}-orders`,
    trigger: { event },
    steps: [{ id: 'way', type: 'branch', branches }],
  }
}

/** Returns values that no other caller may see. */
export function secretsOf({ keys, names, mark }: Tenant): string[] {
  const texts = ['name', 'note', 'title', 'body', 'property', 'campaign'].map((word) => `${mark} ${word}`)
  const { id: _, ...values } = keys
  return [...texts, `${mark}@isolation.example`, `${mark}-second`, ...Object.values(names), ...Object.values(values)]
}

/** Two deliveries that are refused, because nobody signed them. */
async function keepTwoDeliveries({ url }: GivenEdge, call: CallAs, sourceId: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const address = `${url}/v1/connectors/${SOURCE.provider}/${sourceId}`
  for (const _ of [1, 2]) await fetch(address, { method: 'POST', headers, body: '{}' })
  await vi.waitFor(
    async () => {
      const { data } = await call<Page<unknown>>('GET', `/v1/sources/${sourceId}/deliveries`)
      if (data.length < 2) throw new Error(`${data.length} of two deliveries are kept`)
    },
    { timeout: 60_000 },
  )
}
