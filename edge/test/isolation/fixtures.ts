// Provides path parameters, queries and bodies that name records of a tenant. A missing fixture fails the test.

import type { Route } from './routes.ts'
import { campaignOf, INTEGRATION, type Names, SOURCE, UNKNOWN_NAMES } from './tenant.ts'

type Value = (names: Names) => string

/** Path parameters by the preceding segment and their name. */
const PATHS: Record<string, Value> = {
  'events/{eventId}': ({ eventId }) => eventId,
  'runs/{runId}': ({ runId }) => runId,
  // A mail, which each route below has.
  'deliveries/{messageId}': ({ mailId }) => mailId,
  'messages/{id}': ({ messageId }) => messageId,
  'users/{userId}': ({ userId }) => userId,
  'topics/{key}': ({ topic }) => topic,
  'campaigns/{id}': ({ campaignId }) => campaignId,
  'enrichers/{name}': ({ enricher }) => enricher,
  'translations/{locale}': ({ locale }) => locale,
  'snippets/{name}': ({ enricher }) => enricher,
  'integrations/{integrationId}': ({ integrationId }) => integrationId,
  // Each route below asks for the source first.
  'deliveries/{deliveryId}': () => 'evt_1',
  'mailbox/{messageId}': ({ mailId }) => mailId,
  'sources/{sourceId}': ({ sourceId }) => sourceId,
  'event-names/{name}': ({ eventName }) => eventName,
  'doubts/{id}': ({ doubtId }) => doubtId,
  'again/{jobId}': ({ jobId }) => jobId,
  // A number within its campaign.
  'versions/{version}': () => '1',
}

/** Paths of records that only their owner finds: for another caller, an existing id is answered with 404. */
export const RECORD_PATH =
  /(events|runs|deliveries|messages|campaigns|integrations|mailbox|sources|doubts|event-names|again)\/\{(?!.*\/(show|try-signature)$)/

const QUERIES: Record<string, Value> = {
  userId: ({ userId }) => userId,
  campaignId: ({ campaignId }) => campaignId,
  messageId: ({ messageId }) => messageId,
  eventId: ({ eventId }) => eventId,
  correlationId: ({ correlationId }) => correlationId,
  branch: ({ branch }) => branch,
  category: ({ category }) => category,
  name: ({ eventName }) => eventName,
  epoch: ({ epoch }) => epoch,
  q: ({ userId }) => userId,
  subjectId: ({ campaignId }) => campaignId,
  externalId: ({ userId }) => `isolation:${userId}`,
  address: ({ userId }) => `${userId}@isolation.example`,
}

/** Queries that name no record of a tenant. `cursor` has its own test. */
const PLAIN_QUERIES = [
  'names',
  'limit',
  'cursor',
  'filter',
  'kind',
  'subjectType',
  'window',
  'channel',
  'status',
  'pendingPublish',
  'statusReason',
  'engagement',
  'from',
  'to',
  'drain',
  'since',
  'fresh',
  'doubts',
  // A number within its campaign.
  'version',
]

/** Bodies by route; `credential` is the one of the call. */
const BODIES: Record<string, ((names: Names, credential: string) => object)[]> = {
  'POST /v1/events/track': [
    ({ eventName, userId }, sdkSecretKey) => ({ sdkSecretKey, name: eventName, userId, properties: { n: 1 } }),
    ({ topic }, sdkSecretKey) => ({ sdkSecretKey, name: 'isolation.topic', topic }),
    ({ userId }, sdkSecretKey) => ({ sdkSecretKey, name: 'isolation.users', userIds: [userId, 'isolation-other'] }),
    ({ idempotencyKey, userId, eventName }, sdkSecretKey) => ({
      sdkSecretKey,
      name: eventName,
      userId,
      idempotencyKey,
    }),
  ],
  'POST /v1/events/track/batch': [
    ({ eventName, userId, topic, idempotencyKey }, sdkSecretKey) => ({
      sdkSecretKey,
      events: [
        { name: eventName, userId, idempotencyKey: `${idempotencyKey}-batch` },
        { name: eventName, topic },
        { name: eventName, userIds: [userId] },
      ],
    }),
  ],
  'PUT /v1/users/{userId}': [() => ({ name: 'Isolation' })],
  'POST /v1/users/{userId}/inbox/mark-read': [
    ({ entity }) => ({ entity }),
    ({ messageId }) => ({ messageIds: [messageId] }),
  ],
  'PUT /v1/topics/{key}/subscribers': [
    ({ userId }) => ({ add: [userId], remove: [] }),
    ({ userId }) => ({ add: [], remove: [userId] }),
  ],
  'POST /v1/suppressions': [({ userId }) => ({ userId, channel: 'inbox', reason: 'manual' })],
  'POST /v1/campaigns': [({ campaignKey, eventName }) => campaignOf('isolation', campaignKey, eventName)],
  'PUT /v1/campaigns/{id}': [({ campaignKey, eventName }) => campaignOf('isolation', campaignKey, eventName)],
  'POST /v1/campaigns/{id}/publish': [() => ({ note: 'isolation' })],
  'POST /v1/campaigns/{id}/preview': [
    ({ userId, eventName }) => ({ stepId: 'tell', event: { name: eventName, userId }, user: { id: userId } }),
  ],
  'POST /v1/campaigns/{id}/dry-run': [
    ({ userId, eventName }) => ({ event: { name: eventName, userId }, user: { id: userId } }),
  ],
  'POST /v1/campaigns/{id}/explain': [
    ({ userId, eventName }) => ({ userId, event: { name: eventName } }),
    ({ userId, eventId }) => ({ userId, eventId }),
  ],
  'POST /v1/campaigns/{id}/text-changes': [() => ({})],
  'POST /v1/campaigns/{id}/test': [({ userId, eventName }) => ({ userId, event: { name: eventName } })],
  'POST /v1/runs/{runId}/run-again': [
    ({ idempotencyKey }) => ({ idempotencyKey }),
    ({ idempotencyKey }) => ({ idempotencyKey, from: 'start' }),
  ],
  'POST /v1/events/{eventId}/run-again': [({ idempotencyKey }) => ({ idempotencyKey })],
  'POST /v1/deliveries/{messageId}/send-again': [({ idempotencyKey }) => ({ idempotencyKey })],
  'POST /v1/deliveries/{messageId}/send-to-me': [({ userId }) => ({ userId })],
  'POST /v1/again': [
    ({ campaignId, userId, branch, messageId, correlationId, eventId }) => ({
      kind: 'messages',
      filter: { campaignId, userId, branch, messageId, correlationId, eventId, status: 'skipped' },
    }),
    ({ eventName, userId, correlationId }) => ({ kind: 'events', filter: { name: eventName, userId, correlationId } }),
  ],
  'POST /v1/runs/cancel': [({ campaignKey, userId }) => ({ campaignKey, userId })],
  'PUT /v1/enrichers/{name}': [() => ({ url: 'https://192.0.2.1/isolation' })],
  'POST /v1/enrichers/{name}/test': [() => ({ params: { n: 1 } })],
  'PUT /v1/translations/{locale}': [() => ({ isolation: '{n, number}' })],
  'PUT /v1/snippets/{name}': [() => ({ source: 'isolation' })],
  'POST /v1/email/integrations': [({ enricher }) => ({ ...INTEGRATION, name: enricher })],
  'PUT /v1/email/integrations/{integrationId}': [() => INTEGRATION],
  'POST /v1/email/integrations/{integrationId}/test': [() => ({ to: 'nobody@isolation.example' })],
  'POST /v1/sources': [({ enricher }) => ({ ...SOURCE, name: enricher })],
  'PUT /v1/sources/{sourceId}': [() => ({ name: 'isolation' })],
  'POST /v1/sources/{sourceId}/rotate': [
    () => ({}),
    () => ({ overlap: 'PT1S' }),
    () => ({ verificationSecret: 'a b' }),
  ],
  'POST /v1/sources/{sourceId}/extend': [() => ({ overlap: 'P2D' }), () => ({})],
  'POST /v1/sources/{sourceId}/retire': [() => ({ confirm: true })],
  'POST /v1/sources/{sourceId}/emergency': [() => ({ confirm: true })],
  'POST /v1/sources/{sourceId}/deliveries/run': [() => ({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' })],
  'POST /v1/sources/{sourceId}/try-signature': [() => ({ request: 'X-Signature: 1\n\n{}' })],
  'POST /v1/sources/try': [() => ({ provider: 'stripe', payload: { id: 'evt_1', type: 'payout.paid' } }), () => ({})],
  'PATCH /v1/inbox/messages/{id}': [() => ({ archived: true })],
  'POST /v1/inbox/actions': [({ messageId }) => ({ ids: [messageId], deleted: true })],
  'POST /v1/inbox/read-all': [() => ({ seq: 9 })],
  // Categories belong to the environment; those of another one are refused in inbox/preferences.test.ts.
  'PUT /v1/inbox/preferences': [() => ({ quietHours: { start: '22:00', end: '07:00' } })],
  'POST /v1/notification/event/register': [
    ({ messageId }) => ({ messageId, eventType: 'opened' }),
    ({ messageId }) => ({ events: [{ messageId, eventType: 'clicked' }] }),
    () => ({ linkToken: 'nobody-signed-this' }),
  ],
}

/** Properties that look like names of records, with what they are instead. */
const PLAIN_NAMES: Record<string, string> = {
  stepId: 'a step of the definition',
  id: 'a step of the definition, or an invented user of a preview',
  collapseKey: 'a template',
  notificationConfigId: 'tested by itself: its two 404s differ (docs/decisions/0028-tenant-isolation.md)',
  sdkSecretKey: 'the credential itself',
  key: 'a key of this environment',
  joinTopic: 'a topic of the own environment, which a delivery joins',
  externalIds: 'written to a user of the own environment; its search has a fixture',
}
const NAMES_RECORD = /(id|ids|key|topic|cursor|token|epoch|entity|category)$/i

/** Public routes. Sign-in has its own test; the others read no tenant. */
const PUBLIC = [
  'POST /v1/users/auth',
  // Needs the signature of the provider; tested in mail/webhooks.test.ts.
  'POST /v1/webhooks/{provider}/{webhookId}',
  // Needs the signature of the platform; tested in connectors/receive.test.ts.
  'POST /v1/connectors/{provider}/{sourceId}',
  // Their tokens are signed; tested in mail/tracking.test.ts.
  'GET /v1/t/o/{token}',
  'GET /v1/t/c/{linkToken}',
  'GET /v1/t/p/{token}',
  'POST /v1/t/p/{token}',
  'GET /v1/t/u/{token}',
  'POST /v1/t/u/{token}',
  'GET /v1/dashboard/auth/setup',
  'POST /v1/dashboard/auth/setup',
  'POST /v1/dashboard/auth/sign-in',
  'POST /v1/dashboard/auth/sign-in/second-factor',
  'POST /v1/dashboard/auth/sign-in/passkey/options',
  'POST /v1/dashboard/auth/sign-in/passkey',
  'GET /v1/dashboard/auth/sign-in/single-sign-on',
  'POST /v1/dashboard/auth/sign-in/single-sign-on',
  'GET /v1/dashboard/auth/oidc/{org}/start',
  'GET /v1/dashboard/auth/oidc/{org}/callback',
  'POST /v1/dashboard/auth/invitations/look',
  'POST /v1/dashboard/auth/invitations/accept',
  'POST /v1/dashboard/auth/password-reset',
  'POST /v1/dashboard/auth/password-reset/confirm',
]

/** Returns the path with each parameter filled in. @throws when a parameter has no fixture */
export function pathOf(route: Route, names: Names): string {
  return route.path.replace(/([^/]+)\/\{(\w+)\}/g, (_, segment: string, name: string) => {
    const value = PATHS[`${segment}/{${name}}`]
    if (value === undefined) throw new Error(`${route.name}: no fixture for {${name}} after "${segment}".`)
    return `${segment}/${encodeURIComponent(value(names))}`
  })
}

/** Returns the queries that name something. @throws when one has no fixture */
export function queriesOf(route: Route): [name: string, value: Value][] {
  const namingQueries = route.query.filter((name) => !PLAIN_QUERIES.includes(name))
  return namingQueries.map((name) => {
    const value = QUERIES[name]
    if (value === undefined) throw new Error(`${route.name}: no fixture for the query ${name}.`)
    return [name, value]
  })
}

/** Whose first body is not sent to the caller's own record: each call changes what the next one answers. */
export const ROTATES: ReadonlySet<string> = new Set([
  'POST /v1/sources/{sourceId}/rotate',
  'POST /v1/campaigns/{id}/publish',
])

/** Returns the bodies of a route, or none. @throws when no body contains a property that may name a record */
export function bodiesOf(route: Route): ((names: Names, credential: string) => object)[] {
  if (!route.takesBody) return []
  const bodies = BODIES[route.name]
  if (bodies === undefined) throw new Error(`${route.name}: no fixture for its body.`)
  const text = JSON.stringify(bodies.map((body) => body(UNKNOWN_NAMES, 'credential')))
  const missing = route.bodyNames.find(
    (name) => NAMES_RECORD.test(name) && PLAIN_NAMES[name] === undefined && !text.includes(`"${name}":`),
  )
  if (missing !== undefined) throw new Error(`${route.name}: no fixture for "${missing}" in its body.`)
  return bodies
}

/** @throws for a public route that is not listed above */
export function requireKnownPublic(route: Route): void {
  if (!PUBLIC.includes(route.name))
    throw new Error(`${route.name} is open to anyone: add it to PUBLIC in edge/test/isolation/fixtures.ts.`)
}
