// Lists a delivery of each usual type, in the shape that its platform documents, with the event that it becomes. Some ids and
// texts are the platform's own examples; others are made up.

import type { UsualDelivery } from './usual-delivery.ts'
import { stripeExamples } from './usual-types-of-stripe.ts'

const SEGMENT = 'https://www.twilio.com/docs/segment/connections/spec'
const segmentExamples: UsualDelivery[] = [
  {
    provider: 'segment',
    type: '*',
    pages: [`${SEGMENT}/track`, `${SEGMENT}/common`],
    payload: {
      type: 'track',
      event: 'User Registered',
      properties: { plan: 'Pro Annual', accountType: 'Facebook' },
      anonymousId: '507f191e810c19729de860ea',
      messageId: '022bb90c-bbac-11e4-8dfc-aa07a5b093db',
      timestamp: '2015-02-23T22:28:55.111Z',
      userId: '97980cfea0067',
    },
    event: {
      name: 'User Registered',
      userId: '97980cfea0067',
      properties: { plan: 'Pro Annual', accountType: 'Facebook' },
      occurredAt: '2015-02-23T22:28:55.111Z',
    },
  },
  {
    provider: 'segment',
    type: 'identify',
    pages: ['https://segment.com/docs/partners/spec/'],
    payload: {
      _metadata: { bundled: ['Segment.io'], unbundled: ['Facebook Pixel'] },
      anonymousId: '3d316d2c-26e8-451f-91be-a0766708c81e',
      channel: 'client',
      context: { library: { name: 'analytics.js', version: '3.8.2' }, page: { path: 'index.html' } },
      messageId: 'ajs-18c6f23382e31fad89210c1c022cc068',
      originalTimestamp: '2019-06-21T16:33:26.060Z',
      timestamp: '2019-06-21T16:33:26.158Z',
      traits: { email: 'peter@initech.com', logins: 5, name: 'Peter Gibbons', plan: 'premium' },
      type: 'identify',
      userId: '97980cfea0067',
      version: 2,
    },
    event: {
      name: 'segment.identify',
      userId: '97980cfea0067',
      properties: { email: 'peter@initech.com', logins: 5, plan: 'premium' },
      occurredAt: '2019-06-21T16:33:26.158Z',
    },
    profile: { name: 'Peter Gibbons', email: 'peter@initech.com' },
  },
  {
    provider: 'segment',
    type: 'group',
    pages: [`${SEGMENT}/group`],
    payload: {
      type: 'group',
      groupId: '0e8c78ea9d97a7b8185e8632',
      traits: { name: 'Initech', industry: 'Technology', employees: 329, plan: 'enterprise', 'total billed': 830 },
      messageId: '022bb90c-bbac-11e4-8dfc-aa07a5b093dc',
      timestamp: '2015-02-23T22:28:55.111Z',
      userId: '97980cfea0068',
    },
    event: {
      name: 'segment.group',
      userId: '97980cfea0068',
      properties: { name: 'Initech', 'total billed': 830 },
      occurredAt: '2015-02-23T22:28:55.111Z',
    },
    // Traits of the group are not those of its member.
    profile: { name: null },
  },
]

const HUBSPOT = 'https://developers.hubspot.com/docs/api/webhooks'
let hubspotEvents = 3_816_279_340

function ofHubspot(type: string, userId: string | null, fields: object): UsualDelivery {
  hubspotEvents++
  const common = { subscriptionId: 25, portalId: 33, appId: 1160452, occurredAt: 1462216307945, attemptNumber: 0 }
  return {
    provider: 'hubspot',
    type,
    pages: [HUBSPOT],
    payload: [{ ...fields, eventId: hubspotEvents, ...common, subscriptionType: type }],
    event: { name: `hubspot.${type}`, userId, properties: fields, occurredAt: '2016-05-02T19:11:47.945Z' },
  }
}

const hubspotExamples = [
  ofHubspot('contact.creation', '1246978', { objectId: 1246978, changeSource: 'IMPORT' }),
  ofHubspot('contact.propertyChange', '1246965', {
    objectId: 1246965,
    propertyName: 'lifecyclestage',
    propertyValue: 'subscriber',
    changeSource: 'ACADEMY',
  }),
  ofHubspot('contact.deletion', '1246978', { objectId: 1246978, changeFlag: 'DELETED', changeSource: 'CRM_UI' }),
  ofHubspot('deal.creation', null, { objectId: 697680835, changeFlag: 'NEW', changeSource: 'CRM_UI' }),
  ofHubspot('deal.propertyChange', null, {
    objectId: 697680835,
    propertyName: 'dealstage',
    propertyValue: '1f4f1ec1-8174-49f3-a112-4eaa4748e38e',
    changeSource: 'CRM_UI',
  }),
  ofHubspot('ticket.creation', null, { objectId: 1246990, changeFlag: 'NEW', changeSource: 'CRM_UI' }),
  ofHubspot('ticket.propertyChange', null, {
    objectId: 1246990,
    propertyName: 'hs_pipeline_stage',
    propertyValue: '2',
    changeSource: 'CRM_UI',
  }),
]

const INTERCOM = 'https://developers.intercom.com/docs/references'
let notifications = 0

function ofIntercom(topic: string, userId: string | null, item: object, version = '2.16'): UsualDelivery {
  notifications++
  return {
    provider: 'intercom',
    type: topic,
    pages: [`${INTERCOM}/${version}/webhooks/webhook-models`],
    payload: {
      type: 'notification_event',
      app_id: 'a86dr8yl',
      data: { type: 'notification_event_data', item },
      links: {},
      id: `notif_ccd8a4d0-f965-11e3-a367-c779cae3e1b${notifications}`,
      topic,
      delivery_status: 'pending',
      delivery_attempts: 1,
      delivered_at: 0,
      first_sent_at: 1392731331,
      created_at: 1392731331,
      self: null,
    },
    event: { name: `intercom.${topic}`, userId, properties: item, occurredAt: '2014-02-18T13:48:51.000Z' },
  }
}

const conversation = (changes: object) => ({
  type: 'conversation',
  id: '1911149811',
  created_at: 1743112410,
  source: { type: 'conversation', id: '2596952551', delivered_as: 'customer_initiated', body: '<p>Hey there!</p>' },
  contacts: {
    type: 'contact.list',
    contacts: [{ type: 'contact', id: '5ba682d23d7cf92bef87bfd4', external_id: 'f3b87a2e09d514c6c2e79b9a' }],
  },
  open: true,
  state: 'open',
  ...changes,
})
const CONTACT = 'f3b87a2e09d514c6c2e79b9a'

const intercomExamples = [
  // The shape of the first versions, whose conversations have one user.
  ofIntercom(
    'conversation.user.created',
    '25',
    {
      type: 'conversation',
      id: '147',
      user: { type: 'user', id: '5310d8e7598c9a0b24000002', user_id: '25' },
      tags: {},
    },
    '1.0',
  ),
  ofIntercom('conversation.user.replied', CONTACT, conversation({})),
  ofIntercom('conversation.admin.replied', CONTACT, conversation({ read: true })),
  ofIntercom('conversation.admin.closed', CONTACT, conversation({ open: false, state: 'closed' })),
  ofIntercom('conversation.rating.added', CONTACT, conversation({ conversation_rating: { rating: 5, remark: '' } })),
]

const CUSTOMERIO = 'https://docs.customer.io/api/webhooks'
let reports = 0

function ofCustomerio(type: string, userId: string | null, data: object): UsualDelivery {
  const [object_type, metric] = type.split('.')
  reports++
  return {
    provider: 'customerio',
    type,
    pages: [CUSTOMERIO],
    payload: { data, event_id: `01E2EMRMM6TZ12TF9WGZN0WJQ${reports}`, metric, object_type, timestamp: 1669337039 },
    event: { name: `customerio.${type}`, userId, properties: data, occurredAt: '2022-11-25T00:43:59.000Z' },
  }
}

const mail = (changes: object = {}) => ({
  action_id: 42,
  campaign_id: 23,
  customer_id: 'user-123',
  delivery_id: 'RAECAAFwnUSneIa0ZXkmq8EdkAM==',
  identifiers: { id: 'user-123' },
  recipient: 'test@example.com',
  subject: 'Thanks for signing up',
  ...changes,
})
const person = {
  customer_id: '42',
  email_address: 'test@example.com',
  identifiers: { id: '42', email: 'test@example.com', cio_id: 'd9c106000001' },
}

const customerioExamples = [
  ofCustomerio('email.sent', 'user-123', mail({ content: 'Welcome to the club, we are with you.' })),
  ofCustomerio('email.delivered', 'user-123', mail()),
  ofCustomerio('email.opened', 'user-123', mail()),
  ofCustomerio('email.clicked', 'user-123', mail({ href: 'http://google.com', link_id: 1 })),
  ofCustomerio('email.bounced', 'user-123', mail({ failure_message: '550 5.1.1 User unknown' })),
  ofCustomerio('email.unsubscribed', 'user-123', mail()),
  ofCustomerio('customer.subscribed', '42', person),
  ofCustomerio('customer.unsubscribed', '42', person),
]

export const USUAL_DELIVERIES: readonly UsualDelivery[] = [
  ...segmentExamples,
  ...stripeExamples,
  ...hubspotExamples,
  ...intercomExamples,
  ...customerioExamples,
]
