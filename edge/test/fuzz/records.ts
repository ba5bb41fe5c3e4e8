// Creates a record of each kind in an environment of the fuzz, and collects the ids that its answers name.

import { CONNECTOR_PLATFORMS } from '../../../contract/tenant.ts'
import type { Call } from './call.ts'

export interface Keys {
  sdkSecretKey: string
  frontApiKey: string
  authSecretKey: string
}

/** Credentials and ids of one environment. */
export interface Place extends Keys {
  envId: string
  /** A session of the widget. */
  session: string
  /** Sources whose deliveries can be signed. */
  sources: { id: string; provider: string; secret: string; url: string }[]
  /** Ids and names, by the segment and the parameter that take them, such as `campaigns/{id}`. */
  ids: Map<string, string[]>
}

/** Prefixes of ids by the segment and the parameter that take them. */
const PREFIXES: Record<string, string[]> = {
  'messages/{id}': ['msg'],
  'events/{eventId}': ['evt'],
  'runs/{runId}': ['run'],
  'deliveries/{messageId}': ['msg'],
  'campaigns/{id}': ['cmp'],
  'mailbox/{messageId}': ['msg'],
  'integrations/{integrationId}': ['int'],
  'sources/{sourceId}': ['src'],
  'deliveries/{deliveryId}': ['evt'],
  'doubts/{id}': ['dbt'],
  'sessions/{sessionId}': ['das'],
  'passkeys/{passkeyId}': ['pky'],
  'organisations/{org}': ['org'],
  'oidc/{org}': ['org'],
  'members/{personId}': ['per'],
  'invitations/{invitationId}': ['inv'],
  'notification-configs/{configId}': ['cfg'],
  'environments/{envId}': ['env'],
  'given-up/{id}': ['run', 'job'],
}
const ID = /\b([a-z]{3})_[0-9a-z]{11,40}\b/g
const LINK = /\/v1\/t\/([ocup])\/([\w.~-]+)/g
const MAX_IDS = 40

/** Adds the ids and links of an answer to those that later requests name. The oldest ones leave. */
export function collectIds(ids: Map<string, string[]>, text: string): void {
  const add = (key: string, id: string) => {
    const list = ids.get(key) ?? []
    if (list.includes(id)) return
    ids.set(key, [...list, id].slice(-MAX_IDS))
  }
  for (const [id, prefix = ''] of text.matchAll(ID)) {
    for (const [key, prefixes] of Object.entries(PREFIXES)) if (prefixes.includes(prefix)) add(key, id)
  }
  for (const [, kind = '', token = ''] of text.matchAll(LINK)) {
    add(kind === 'c' ? 'c/{linkToken}' : `${kind}/{token}`, token)
  }
}

/** Names that callers choose, by what takes them. */
const NAMES: [string, string[]][] = [
  ['users/{userId}', ['u_1', 'u_2', 'jürgen@fuzz.invalid', 'a b/c']],
  ['topics/{key}', ['news', 'empty']],
  ['versions/{version}', ['1', '2', '0']],
  ['enrichers/{name}', ['data', 'none']],
  ['translations/{locale}', ['de', 'fr', 'pt-BR']],
  ['snippets/{name}', ['foot', 'none']],
  ['secrets/{kind}', ['sdkSecretKey', 'authSecretKey', 'frontApiKey', 'webhookSigningSecret']],
  ['webhooks/{provider}', ['postmark', 'sendgrid', 'mailgun', 'ses', 'resend', 'brevo', 'mailjet']],
  ['connectors/{provider}', [...CONNECTOR_PLATFORMS]],
]

/** @returns Ids by what takes them, and the sources with their secrets. */
export async function createRecords(
  call: Call,
  { sdkSecretKey: key }: Keys,
  { cookie, org, envId }: { cookie: string; org: string; envId: string },
): Promise<Pick<Place, 'ids' | 'sources'>> {
  const ids = new Map(NAMES.map(([name, values]) => [name, [...values]]))
  ids.set('environments/{envId}', [envId])
  ids.set('organisations/{org}', [org])
  ids.set('oidc/{org}', [org])
  const keep = async (method: string, path: string, body?: unknown) => {
    const answer = await call<{ id: string }>(method, path, { key, ...(body !== undefined && { body }) })
    collectIds(ids, JSON.stringify(answer.body))
    return answer.body
  }
  await keep('PUT', '/v1/users/u_1', { email: 'u1@fuzz.invalid', name: 'Ada', attributes: { plan: 'gold' } })
  await keep('PUT', '/v1/topics/news/subscribers', { add: ['u_1', 'u_2'], remove: [] })
  await keep('PUT', '/v1/enrichers/data', { url: 'https://192.0.2.1/data' })
  await keep('PUT', '/v1/translations/de', { hello: 'Hallo {name}' })
  await keep('PUT', '/v1/snippets/foot', { source: 'Bye {{ user.name }}' })
  for (const campaign of CAMPAIGNS) {
    const { id } = await keep('POST', '/v1/campaigns', campaign)
    await keep('POST', `/v1/campaigns/${id}/publish`)
  }
  const sources: Place['sources'] = []
  for (const provider of CONNECTOR_PLATFORMS) {
    const settings = provider === 'hmac' ? { settings: HMAC } : {}
    const body = { name: `A source of ${provider}`, provider, ...settings }
    const made = await call<{ id: string; verificationSecret: string; url: string }>('POST', '/v1/sources', {
      key,
      body,
    })
    sources.push({ id: made.body.id, provider, secret: made.body.verificationSecret, url: made.body.url })
  }
  collectIds(ids, JSON.stringify(sources.map(({ id }) => id)))
  for (const name of ['shipped', 'later', 'mailed', 'unheard']) {
    await keep('POST', '/v1/events/track', { sdkSecretKey: key, name, userId: 'u_1', properties: { id: 7 } })
  }
  await call('POST', `/v1/dashboard/organisations/${org}/notification-configs`, { cookie, body: { name: envId } })
  const lists = [
    ...['/v1/events', '/v1/deliveries', '/v1/campaigns', '/v1/doubts', '/v1/email/mailbox', '/v1/users/u_1/inbox'],
    `/v1/events/${ids.get('events/{eventId}')?.[0]}/runs`,
  ]
  for (const path of lists) await keep('GET', path)
  for (const part of ['notification-configs', 'environments']) {
    const { body } = await call('GET', `/v1/dashboard/organisations/${org}/${part}`, { cookie })
    if (part === 'notification-configs') collectIds(ids, JSON.stringify(body))
  }
  await keep('POST', '/v1/email/integrations', {
    name: 'fuzz',
    provider: 'postmark',
    credentials: { serverToken: 'fuzz-token', baseUrl: 'https://192.0.2.1' },
    from: { address: 'shop@fuzz.invalid' },
  })
  ids.set('webhooks/{webhookId}', ids.get('integrations/{integrationId}') ?? [])
  return { ids, sources }
}

const HMAC = {
  header: 'X-Signature',
  algorithm: 'sha256',
  encoding: 'hex',
  signedString: 'body',
  idPath: 'id',
  typePath: 'type',
}

const inbox = { id: 'tell', type: 'inbox', title: 'Hello {{ user.name }}', link: '/orders/{{ event.properties.id }}' }
const campaign = (key: string, event: string, ...steps: object[]) => ({ key, name: key, trigger: { event }, steps })
const CAMPAIGNS = [
  campaign('shipped', 'shipped', inbox),
  campaign('later', 'later', { id: 'wait', type: 'delay', for: 'PT1H' }, inbox),
  campaign('mailed', 'mailed', {
    id: 'letter',
    type: 'email',
    subject: 'Hi',
    markdown: '[Order](https://shop.invalid/a)',
  }),
  campaign(
    'looped',
    'looped',
    { id: 'ask', type: 'enrich', enricher: 'data', params: { id: 'event.properties.id' } },
    { ...inbox, body: '{% for i in (1..3) %}{{ i }}{% endfor %}' },
  ),
]
