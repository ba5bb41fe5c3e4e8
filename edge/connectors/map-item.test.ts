// Tests how items become tracked events: mappings, names, users, profiles, and what cannot be read.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findEventNameFault } from '../../contract/event-name.ts'
import type { SourceMapping } from '../../contract/resources/source-mapping.ts'
import { CONNECTOR_PLATFORMS, type ConnectorPlatform } from '../../contract/tenant.ts'
import { isUserId } from '../../contract/user-id.ts'
import type { MappedEvent, SourceChecks } from '../domain/connector/connector.ts'
import { externalKeyOf } from '../domain/user.ts'
import { ApiError } from '../lib/api-error.ts'
import { connectors } from './connectors.ts'
import { lookupsOf, mapItem } from './map-item.ts'
import { valueAt } from './path.ts'

const NOW = 1_767_225_600_000
const NONE: SourceChecks = { requireV3: false, allowUnsignedBatchTail: false, settings: null }

function readBytes(platform: ConnectorPlatform, body: Buffer, checks = NONE) {
  return connectors[platform].read({ method: 'POST', url: 'https://n.example/', headers: {}, body, now: NOW }, checks)
}
const read = (platform: ConnectorPlatform, body: unknown, checks = NONE) =>
  readBytes(platform, Buffer.from(JSON.stringify(body)), checks)
function mapOne(platform: ConnectorPlatform, body: unknown, mappings: SourceMapping[] = []): MappedEvent {
  const [item] = read(platform, body).items
  if (item === undefined) throw new Error('no item')
  return mapItem(item, mappings)
}
const mapping = (fields: Partial<SourceMapping>): SourceMapping => ({
  providerEvent: '*',
  event: null,
  userIdPath: null,
  propertiesPath: null,
  ...fields,
})

const PAYMENT = {
  id: 'evt_1',
  object: 'event',
  type: 'payment_intent.payment_failed',
  created: NOW / 1000 - 60,
  data: { object: { id: 'pi_1', amount: 4200, customer: 'cus_1', metadata: { userId: 'u_42' } } },
}

test('stripe: the user of the metadata, else the customer', () => {
  const event = mapOne('stripe', PAYMENT)
  expect(event).toMatchObject({
    deliveryId: 'evt_1',
    type: 'payment_intent.payment_failed',
    name: 'stripe.payment_intent.payment_failed',
    userId: 'u_42',
    properties: { id: 'pi_1', amount: 4200 },
    occurredAt: NOW - 60_000,
    profile: null,
    reason: null,
  })
  const withoutMetadata = { ...PAYMENT, data: { object: { customer: { id: 'cus_2' } } } }
  expect(mapOne('stripe', withoutMetadata).userId).toBe('cus_2')
  expect(mapOne('stripe', { ...PAYMENT, type: 'payout.paid', data: { object: {} } }).userId).toBeNull()
})

test('segment: a track call has its own name, identify and group write profiles', () => {
  const call = { type: 'track', event: 'Order Completed', messageId: 'm1', userId: 'u_1', properties: { total: 42.5 } }
  expect(mapOne('segment', call)).toMatchObject({ name: 'Order Completed', userId: 'u_1', properties: { total: 42.5 } })
  const identify = {
    type: 'identify',
    messageId: 'm2',
    userId: 'u_1',
    traits: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', plan: 'pro', secret: 'x' },
    context: { locale: 'en-GB', timezone: 'Europe/London' },
  }
  expect(mapOne('segment', identify, [mapping({ traits: ['plan', 'constructor'] })])).toMatchObject({
    name: 'segment.identify',
    profile: {
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      locale: 'en-GB',
      timeZone: 'Europe/London',
      attributes: { plan: 'pro' },
    },
  })
  expect(mapOne('segment', identify).profile).not.toHaveProperty('attributes')
  const traits = { first_name: 'Ada', last_name: 'Lovelace' }
  expect(mapOne('segment', { ...identify, traits }).profile).toMatchObject({ name: 'Ada Lovelace' })
  expect(mapOne('customerio', { ...identify, traits }).profile).toMatchObject({ name: 'Ada Lovelace' })
  const group = { type: 'group', messageId: 'm3', userId: 'u_1', traits: { name: 'Loam' } }
  expect(mapOne('segment', group)).toMatchObject({ profile: {}, properties: { name: 'Loam' } })
  const large = { ...identify, traits: { plan: 'x'.repeat(17_000), name: 'Ada' } }
  const mapped = mapOne('segment', large, [mapping({ traits: ['plan'] })])
  expect(mapped).toMatchObject({ profile: { name: 'Ada' }, reason: expect.stringMatching(/16 KiB/) })
  expect(mapped.profile).not.toHaveProperty('attributes')
})

test('segment: the signature covers only the first of a batch', () => {
  const batch = [1, 2, 3].map((at) => ({ type: 'track', event: 'Seen', messageId: `m${at}`, userId: 'u' }))
  expect(read('segment', batch)).toMatchObject({ items: [{ deliveryId: 'm1' }], unsigned: 2 })
  const all = read('segment', batch, { ...NONE, allowUnsignedBatchTail: true })
  expect([all.items.length, all.unsigned]).toEqual([3, 0])
})

test('hubspot: contacts are users, deals and tickets have none by default', () => {
  const change = {
    eventId: 1,
    subscriptionId: 2,
    occurredAt: NOW - 5,
    subscriptionType: 'contact.creation',
    objectId: 7,
  }
  const event = mapOne('hubspot', [change])
  expect(event).toMatchObject({ deliveryId: `1-2-${NOW - 5}`, name: 'hubspot.contact.creation', userId: '7' })
  expect(mapOne('hubspot', [{ ...change, subscriptionType: 'deal.creation' }]).userId).toBeNull()
  const typed = { ...change, subscriptionType: 'object.creation' }
  expect(mapOne('hubspot', [{ ...typed, objectTypeId: '0-1' }]).userId).toBe('7')
  expect(mapOne('hubspot', [{ ...typed, objectTypeId: '0-3' }]).userId).toBeNull()
})

test.each([
  ['an object', { toString: 1 }],
  ['a list', [1]],
  ['nothing', null],
  ['a deep list', JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`)],
])('hubspot: an event whose id is %s has the hash of its content', (_, eventId) => {
  const idOf = (objectId: number) =>
    mapOne('hubspot', [{ eventId, subscriptionId: 2, occurredAt: NOW, subscriptionType: 'contact.creation', objectId }])
      .deliveryId
  expect(idOf(1)).toMatch(/^sha256:[0-9a-f]{64}$/)
  expect(idOf(1)).toBe(idOf(1))
  expect(idOf(1)).not.toBe(idOf(2))
})

test('an event without an id that is nested too deeply is refused', () => {
  const body = Buffer.from(`[{"eventId":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}]`)
  expect(() => readBytes('hubspot', body)).toThrow(expect.objectContaining({ code: 'request/invalid-body' }))
})

test('a long type is cut between characters, and counts among the properties', () => {
  const call = { type: 'track', event: `${'x'.repeat(999)}😀`, messageId: 'm', userId: 'u' }
  const { properties, reason } = mapOne('segment', { ...call, properties: { a: 1 } })
  expect(properties).toMatchObject({ a: 1, providerEvent: 'x'.repeat(999) })
  expect(reason).toBeNull()
})

test('a number that is none is no user', () => {
  const body = Buffer.from('{"type":"track","event":"a","messageId":"m","userId":1e400}')
  const [item] = readBytes('segment', body).items
  expect(item && mapItem(item, []).userId).toBeNull()
})

test('intercom and customer.io', () => {
  const notification = {
    type: 'notification_event',
    id: 'n1',
    topic: 'conversation.user.created',
    created_at: NOW / 1000,
  }
  const contacts = { contacts: [{ external_id: 'u_9' }] }
  expect(mapOne('intercom', { ...notification, data: { item: { contacts } } })).toMatchObject({
    name: 'intercom.conversation.user.created',
    userId: 'u_9',
  })
  const report = { event_id: 'e1', object_type: 'email', metric: 'opened', data: { identifiers: { id: 'u_3' } } }
  expect(mapOne('customerio', report)).toMatchObject({
    type: 'email.opened',
    name: 'customerio.email.opened',
    userId: 'u_3',
  })
})

test('a mapping of the type stands before that of every type, and both before the own paths', () => {
  const own = mapping({ providerEvent: PAYMENT.type, event: 'payment.failed', userIdPath: 'data.object.customer' })
  const any = mapping({ event: 'money', propertiesPath: 'data' })
  expect(mapOne('stripe', PAYMENT, [any, own])).toMatchObject({ name: 'payment.failed', userId: 'cus_1' })
  const other = { ...PAYMENT, type: 'payout.paid' }
  expect(mapOne('stripe', other, [any, own])).toMatchObject({ name: 'money', properties: { object: { id: 'pi_1' } } })
})

test('what a mapping cannot read is an event with its reason', () => {
  const reasonOf = (body: unknown, fields: Partial<SourceMapping>) => mapOne('stripe', body, [mapping(fields)]).reason
  expect(reasonOf(PAYMENT, { userIdPath: 'data.nobody' })).toBe('There is no user at data.nobody.')
  expect(reasonOf(PAYMENT, { propertiesPath: 'data.object.amount' })).toBe('There is no object at data.object.amount.')
  expect(reasonOf({ id: 'evt_2' }, {})).toBe('The item names no type.')
  expect(mapOne('hubspot', [3])).toMatchObject({ reason: 'The item is no object.', properties: {}, userId: null })
  const odd = { ...PAYMENT, data: { object: { customer: 'a\u0007b' } } }
  expect(mapOne('stripe', odd)).toMatchObject({ userId: null, reason: expect.stringMatching(/control character/) })
  const long = { ...PAYMENT, data: { object: { note: 'x'.repeat(70_000) } } }
  expect(mapOne('stripe', long)).toMatchObject({
    properties: {},
    reason: expect.stringMatching(/^The properties are left out\. note/),
  })
})

test('a name outside the grammar becomes one inside it, and is kept as it was', () => {
  const sent = 'Commande payée (Web)!'
  const event = mapOne('segment', { type: 'track', event: sent, messageId: 'm', userId: 'u', properties: { a: 1 } })
  expect(event).toMatchObject({ name: 'Commande payee Web', properties: { a: 1, providerEvent: sent } })
})

test('names stay apart that differ in letters, digits or signs, on every platform', () => {
  const types = [
    'Заказ',
    'Оплата',
    '注文',
    '支払',
    'طلب',
    'דפ',
    '👍',
    '👎',
    'C++',
    'C#',
    'C',
    'Order #1',
    'Order @1',
    'Order 1',
    'pago',
    'A',
    '1 day',
    '2 days',
    `${'x'.repeat(130)}1`,
  ]
  for (const platform of CONNECTOR_PLATFORMS) {
    const names = types.map((type) => mapOne(platform, itemOf(platform, type)).name)
    expect(new Set(names).size, platform).toBe(types.length)
    expect(names.map(findEventNameFault).filter((fault) => fault !== undefined)).toEqual([])
  }
})

/** An item of this type, which a platform sends or a customer chooses. */
function itemOf(platform: ConnectorPlatform, type: string): object {
  if (platform === 'segment') return { type: 'track', event: type, messageId: 'm', userId: 'u' }
  if (platform === 'customerio') return { object_type: type, metric: type, event_id: 'e' }
  return { id: 'i', type, topic: type, subscriptionType: type }
}

test('customer.io: a body without object_type is read by its own form', () => {
  const read = (body: object) => mapOne('customerio', body)
  const data = { identifiers: { id: 'u_1' }, subject: 'Hi' }
  // Former reporting webhooks name both in one word.
  expect(read({ event_id: 'e', event_type: 'email_opened', timestamp: 1, data: { customer_id: 'u_1' } })).toMatchObject(
    {
      type: 'email.opened',
      name: 'customerio.email.opened',
      userId: 'u_1',
      reason: null,
    },
  )
  expect(read({ event_id: 'e', metric: 'opened', data })).toMatchObject({
    name: 'customerio.opened',
    userId: 'u_1',
    properties: { subject: 'Hi' },
    reason: null,
  })
  // Calls of Data Pipelines are those of Segment.
  const call = { type: 'track', event: 'Paid', messageId: 'm', userId: 'u_1', properties: { total: 1 } }
  expect(read(call)).toMatchObject({ name: 'Paid', deliveryId: 'm', userId: 'u_1', properties: { total: 1 } })
  const identify = { type: 'identify', messageId: 'n', userId: 'u_1', traits: { name: 'Ada' } }
  expect(read(identify)).toMatchObject({ name: 'customerio.identify', profile: { name: 'Ada' } })
  // A webhook of a campaign has the fields that its author wrote.
  expect(read({ customer_id: 'u_1', plan: 'pro' })).toMatchObject({
    type: 'webhook',
    name: 'customerio.webhook',
    userId: 'u_1',
    properties: { plan: 'pro' },
    reason: null,
  })
})

test('by default, what lies beside the properties is there too, and a path leaves it out', () => {
  const object = { id: 'sub_1', status: 'active' }
  const event = {
    id: 'evt_1',
    type: 'x.y',
    livemode: true,
    account: 'acct_1',
    data: { object, previous_attributes: { status: 'trialing' } },
  }
  expect(mapOne('stripe', event).properties).toEqual({
    type: 'x.y',
    livemode: true,
    account: 'acct_1',
    previous_attributes: { status: 'trialing' },
    ...object,
  })
  expect(mapOne('stripe', event, [mapping({ propertiesPath: 'data.object' })]).properties).toEqual(object)
  // A text of 64 KiB each: together they are beyond an event.
  const thin = { id: 'evt_2', object: 'v2.core.event', type: 'v1.billing.meter', related_object: { id: 'mtr_1' } }
  expect(mapOne('stripe', thin)).toMatchObject({ properties: thin, reason: null })
  const page = { type: 'page', name: 'Pricing', messageId: 'm', userId: 'u', properties: { path: '/p' } }
  expect(mapOne('segment', page).properties).toMatchObject({ name: 'Pricing', path: '/p' })
  const group = { type: 'group', groupId: 'g_1', messageId: 'm', userId: 'u', traits: { plan: 'pro' } }
  expect(mapOne('segment', group).properties).toMatchObject({ groupId: 'g_1', plan: 'pro' })
  // What is beside gives way to the limit first.
  const large = {
    ...event,
    account: 'x'.repeat(65_000),
    request: { a: 'y'.repeat(65_000), b: 'z'.repeat(65_000), c: 'z'.repeat(65_000), d: 'z'.repeat(65_000) },
  }
  expect(mapOne('stripe', large)).toMatchObject({ properties: object, reason: null })
})

describe('who the user is', () => {
  const known = new Map([
    ['stripe:cus_1', 'u_known'],
    ['hubspot:5', 'u_contact'],
  ])
  const userOf = (platform: ConnectorPlatform, body: unknown, mappings: SourceMapping[] = []) => {
    const [item] = read(platform, body).items
    if (item === undefined) throw new Error('no item')
    return { ...mapItem(item, mappings, known), lookups: lookupsOf(item, mappings).map(externalKeyOf) }
  }
  const stripeEvent = (object: object, type = 'invoice.paid') => ({ id: 'evt_1', type, data: { object } })

  test('stripe: the session’s reference and all spellings of metadata come first, without a look-up', () => {
    const customer = 'cus_1'
    for (const spelling of ['userId', 'user_id', 'userID', 'userid', 'UserId', 'user-id', 'uid']) {
      for (const object of [
        { metadata: { [spelling]: 'u_1' } },
        { subscription_details: { metadata: { [spelling]: 'u_1' } } },
        { parent: { subscription_details: { metadata: { [spelling]: 'u_1' } } } },
        { lines: { data: [{ metadata: { [spelling]: 'u_1' } }] } },
      ]) {
        expect(userOf('stripe', stripeEvent({ customer, ...object }))).toMatchObject({ userId: 'u_1', lookups: [] })
      }
    }
    // Further in counts less.
    const lines = { data: [{ metadata: { userId: 'u_line' } }] }
    const parent = { subscription_details: { metadata: { uid: 'u_sub' } } }
    expect(userOf('stripe', stripeEvent({ customer, lines, parent })).userId).toBe('u_sub')
    expect(userOf('stripe', stripeEvent({ customer, lines: { data: [] } })).userId).toBe('u_known')
    const session = { customer, client_reference_id: 'u_2', metadata: { userId: 'u_1' } }
    // The session says whose customer it is.
    expect(userOf('stripe', stripeEvent(session, 'checkout.session.completed'))).toMatchObject({
      userId: 'u_2',
      profile: { externalIds: { stripe: 'cus_1' } },
    })
  })

  test('stripe: a customer is looked up, and is a user of its own when nobody has its id', () => {
    expect(userOf('stripe', stripeEvent({ customer: 'cus_1' }))).toMatchObject({
      userId: 'u_known',
      lookups: ['stripe:cus_1'],
      profile: null,
    })
    expect(userOf('stripe', stripeEvent({ customer: { id: 'cus_1' } })).userId).toBe('u_known')
    expect(userOf('stripe', stripeEvent({ customer: 'cus_9' })).userId).toBe('cus_9')
    const customer = {
      object: 'customer',
      id: 'cus_1',
      email: 'ada@example.com',
      name: 'Ada',
      preferred_locales: ['de'],
    }
    expect(userOf('stripe', stripeEvent(customer, 'customer.updated'))).toMatchObject({
      userId: 'u_known',
      profile: { email: 'ada@example.com', name: 'Ada', locale: 'de' },
    })
  })

  test('hubspot: a merge moves the contact’s id to the user of any former contact', () => {
    const merge = {
      subscriptionType: 'contact.merge',
      primaryObjectId: 4,
      mergedObjectIds: [5],
      newObjectId: 6,
      occurredAt: 1,
    }
    expect(userOf('hubspot', [merge])).toMatchObject({
      userId: 'u_contact',
      lookups: ['hubspot:6', 'hubspot:4', 'hubspot:5'],
      profile: { externalIds: { hubspot: '6' } },
    })
    const address = {
      subscriptionType: 'contact.propertyChange',
      objectId: 5,
      propertyName: 'email',
      propertyValue: 'a@b.example',
    }
    expect(userOf('hubspot', [address])).toMatchObject({ userId: 'u_contact', profile: { email: 'a@b.example' } })
  })

  test('intercom and customer.io identify, too', () => {
    const item = { type: 'contact', id: 'int_1', external_id: 'u_1', email: 'ada@example.com', name: 'Ada' }
    expect(userOf('intercom', { id: 'n', topic: 'contact.user.updated', data: { item } })).toMatchObject({
      userId: 'u_1',
      profile: { email: 'ada@example.com', name: 'Ada', externalIds: { intercom: 'int_1' } },
    })
    const data = { identifiers: { id: 'u_1', email: 'ada@example.com' } }
    expect(userOf('customerio', { event_id: 'e', object_type: 'customer', metric: 'subscribed', data })).toMatchObject({
      userId: 'u_1',
      profile: { email: 'ada@example.com' },
    })
  })

  test('of a list of paths the first that holds an id counts', () => {
    const paths = [
      mapping({ userIdPath: ['data.object.owner', 'external:stripe:data.object.payer', 'data.object.id'] }),
    ]
    const of = (object: object) => userOf('stripe', stripeEvent({ id: 'last', ...object }), paths).userId
    expect([of({ owner: 'u_1', payer: 'cus_1' }), of({ payer: 'cus_1' }), of({ payer: 'cus_9' })]).toEqual([
      'u_1',
      'u_known',
      'last',
    ])
    expect(
      userOf(
        'stripe',
        stripeEvent({}),
        paths.map((one) => ({ ...one, userIdPath: ['a', 'b'] })),
      ).reason,
    ).toBe('There is no user at a, b.')
  })
})

test('paths see own fields alone', () => {
  const root = JSON.parse('{"a":{"b":[{"c":1}]},"__proto__":{"x":2}}')
  expect(valueAt(root, 'a.b[0].c')).toBe(1)
  expect(valueAt(root, 'a.constructor')).toBeUndefined()
  expect(valueAt(root, 'a.b.length.x')).toBeUndefined()
})

test('intercom: a ping, which it sends when an address is saved, has no id and no user', () => {
  const item = { type: 'ping', message: 'something something interzen' }
  const ping = { type: 'notification_event', id: null, topic: 'ping', created_at: NOW / 1000, data: { item } }
  expect(mapOne('intercom', ping)).toMatchObject({
    deliveryId: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    name: 'intercom.ping',
    userId: null,
    properties: item,
    reason: null,
  })
})

const bodies: [string, Buffer][] = [
  ['no JSON', Buffer.from('{')],
  ['a text', Buffer.from('"a"')],
  ['null', Buffer.from('null')],
  ['empty', Buffer.alloc(0)],
  ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['1,001 items', Buffer.from(JSON.stringify(Array.from({ length: 1001 }, () => ({}))))],
]
test.each(bodies)('%s is refused', (_, body) => {
  for (const platform of CONNECTOR_PLATFORMS) {
    expect(() => readBytes(platform, body), platform).toThrow(expect.objectContaining({ code: 'request/invalid-body' }))
  }
  expect(
    read(
      'hubspot',
      Array.from({ length: 1000 }, (_, objectId) => ({ objectId })),
    ).items,
  ).toHaveLength(1000)
})

test('any JSON is read or refused, and each item becomes an event that can be tracked', () => {
  const bodyOf = fc.oneof(
    fc.jsonValue(),
    fc.array(fc.jsonValue()),
    fc.object({ key: fc.constantFrom('type', 'data', 'object', 'userId', 'event', 'topic', 'id') }),
  )
  const paths = fc.constantFrom(null, 'data', 'data.object', 'userId', 'a[0].b')
  const mappings = fc.array(
    fc.record({
      providerEvent: fc.constantFrom('*', 'track'),
      event: fc.constant(null),
      userIdPath: paths,
      propertiesPath: paths,
    }),
    { maxLength: 2 },
  )
  fc.assert(
    fc.property(fc.constantFrom(...CONNECTOR_PLATFORMS), bodyOf, mappings, (platform, body, chosen) => {
      try {
        for (const item of read(platform, body).items) {
          const { name, userId, properties, deliveryId } = mapItem(item, chosen)
          expect(findEventNameFault(name)).toBeUndefined()
          expect(userId === null || isUserId(userId)).toBe(true)
          expect(properties).toBeTypeOf('object')
          expect(deliveryId.length).toBeGreaterThan(0)
        }
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
      }
    }),
    { numRuns: 500 },
  )
})
