// Tests reports of a provider over a store of each engine: a call that fails in between is taken as a whole when it is
// sent again, and a mail is found by the provider's id of the integration that handed it over.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MailIntegration } from '../../domain/mail/mail-integration.ts'
import type { ReportKind } from '../../domain/mail/mail-provider.ts'
import { createMailProviders } from '../../email/providers/mail-providers.ts'
import { createReceiveReports } from '../../flow/mail/receive-reports.ts'
import { createRecordReports } from '../../flow/mail/record-reports.ts'
import { formatId } from '../../lib/id.ts'
import type { Given } from '../../stores/test/given.ts'
import { accepted, changeMail, claimMails, givenCampaign, givenMail, mailsOf } from '../../stores/test/given-mail.ts'
import { type EngineStores, givenStores } from '../support/engine-stores.ts'
import { EVENTS_OF } from '../support/provider-events.ts'
import { createRecordingBus } from '../support/recording-bus.ts'

/** The signature of a call has the time of the machine. */
const NOW = Date.now()
const { SENDGRID } = EVENTS_OF
/** No mail is sent here. */
const providers = createMailProviders({ fetch: () => Promise.reject(new Error('no call')), allow: [] })
let opened: EngineStores
let given: Given
let lastId = 1000

beforeAll(async () => {
  const clock = { now: () => NOW }
  opened = await givenStores(clock)
  const nextId = () => ++lastId
  const { stores } = opened
  given = { stores, now: clock.now, advance() {}, reopen: async () => stores, environmentId: nextId, id: nextId }
})
afterAll(() => opened.close())

async function givenIntegration(environmentId: number) {
  const id = given.id()
  const webhookId = `whi_${String(id).padStart(32, '0')}`
  const integration: MailIntegration = {
    id,
    environmentId,
    name: 'main',
    provider: 'sendgrid',
    sealed: JSON.stringify(SENDGRID.credentials),
    from: null,
    priority: 1,
    maxPerSecond: null,
    webhookId,
    webhookPasswordHash: null,
    createdAt: NOW,
    updatedAt: NOW,
  }
  const audit = { at: NOW, actor: 'api', who: 'test', action: 'x', environmentId, subject: 'x', detail: {} } as const
  expect(await given.stores.mailIntegrations.insertOnce(integration, audit)).toBe(true)
  return { ...integration, revision: 1 }
}

/** Creates the flow; `failing` rejects the commits of that kind while it is set. */
function givenFlow() {
  const { stores } = given
  const failing = { kind: '' }
  async function refuseFailing({ kind }: { kind: string }) {
    if (kind === failing.kind) throw new Error(`${kind} refused`)
  }
  const record = createRecordReports({
    mails: stores.mails,
    commitMail: (plan) => refuseFailing(plan).then(() => stores.commit.mail(plan)),
    commitDelivery: (plan) => refuseFailing(plan).then(() => stores.commit.deliver(plan)),
    sendRules: {
      ...stores.sendRules,
      suppress: (...args) => refuseFailing({ kind: 'suppress' }).then(() => stores.sendRules.suppress(...args)),
    },
    bus: createRecordingBus(),
  })
  const { receive } = createReceiveReports({
    requireOpen: async () => {},
    mailIntegrations: stores.mailIntegrations,
    mailProviders: providers,
    open: async (text) => text,
    record,
    confirm: async () => ({ status: 200 }),
  })
  return { failing, receive }
}

function callOf(events: unknown[]) {
  const { headers, body } = SENDGRID.sign(JSON.stringify(events))
  return { headers, body: Buffer.from(body), contentType: 'application/json', now: NOW }
}

/** An event of SendGrid, with its own names of fields in `more`. */
function event(means: ReportKind, messageId: number | null, more: Record<string, unknown> = {}): unknown {
  const named = SENDGRID.events.find((one) => one.means === means)
  if (named === undefined) throw new Error(`no event means ${means}`)
  const mail = { messageId: messageId === null ? '' : formatId('message', messageId), address: 'reader@example.com' }
  const [content] = SENDGRID.contentOf({ ...named, ...mail, fields: { ...named.fields, ...more } }) as unknown[]
  return content
}

test.each(['mail', 'deliver', 'suppress'])(
  'a call whose %s plan fails is taken once when it is repeated',
  async (kind) => {
    const { environmentId, campaignId, message } = await mailsOf(given).givenQueued()
    const integration = await givenIntegration(environmentId)
    const { receive, failing } = givenFlow()
    const call = callOf([event('delivered', message.id), event('clicked', message.id), event('complaint', message.id)])
    failing.kind = kind
    await expect(receive(integration, call)).rejects.toThrow('refused')
    failing.kind = ''
    expect(await receive(integration, call)).toEqual({ received: 3, matched: 3, duplicates: 0, ignored: 0 })
    expect(await receive(integration, call)).toEqual({ received: 3, matched: 0, duplicates: 3, ignored: 0 })
    const { recordOf, funnelOf } = mailsOf(given)
    expect((await recordOf(environmentId, message)).record.status).toBe('delivered')
    expect(await funnelOf(environmentId, campaignId)).toMatchObject({ delivery: 1, read: 1, opened: 1, clicked: 1 })
    const address = `${message.userId}@example.com`
    expect(await given.stores.sendRules.listOf({ environmentId, address })).toMatchObject([{ reason: 'complaint' }])
  },
)

test("the provider's id finds a mail that this integration handed over, and no other's", async () => {
  const environmentId = given.environmentId()
  const integration = await givenIntegration(environmentId)
  const campaignId = await givenCampaign(given, environmentId)
  await claimMails(given)
  const message = await givenMail(given, { environmentId, campaignId })
  const claim = (await claimMails(given)).find(({ messageId }) => messageId === message.id)
  if (claim === undefined) throw new Error('not claimed')
  const handOver = {
    does: 'hand-over',
    integrationId: integration.id,
    provider: 'sendgrid',
    layoutHash: 'hash',
  } as const
  await changeMail(given, claim, environmentId, handOver)
  await changeMail(given, claim, environmentId, accepted('provider-1'))
  const { receive } = givenFlow()
  const other = await givenIntegration(given.environmentId())
  const bounced = () => callOf([event('bounced', null, { sg_message_id: 'provider-1', reason: 'No such user.' })])
  expect(await receive(other, bounced())).toMatchObject({ received: 1, matched: 0 })
  const unknown = event('bounced', null, { sg_message_id: 'provider-2' })
  expect(await receive(integration, callOf([unknown]))).toMatchObject({ received: 1, matched: 0 })
  expect(await receive(integration, bounced())).toMatchObject({ received: 1, matched: 1 })
  const { record } = await mailsOf(given).recordOf(environmentId, message)
  expect(record).toMatchObject({ status: 'bounced', lastError: 'No such user.' })
})
