// Tests the matrix of providers and events: a mail that each provider took, each event as the provider sends and signs it,
// and the status, the engagement, the suppression and the counts of the funnel that follow.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FunnelAnswer, Page } from '../../../contract/api.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenMailApi, givenMailApi } from '../support/given-mail-api.ts'
import { openSandbox } from '../support/open-sandbox.ts'
import { type NamedEvent, PROVIDER_EVENTS, type ProviderEvents, writeCall } from '../support/provider-events.ts'

interface Integration {
  id: string
  webhookUrl: string
  webhookCredentials?: { username: string; password: string }
}
interface Delivery {
  messageId: string
  status: string
  engagement: string
  timeline: { eventType: string; automated: boolean }[]
}

let api: GivenMailApi
let given: GivenEdge
let key: string

beforeAll(async () => {
  api = await givenMailApi()
  given = await givenEdge(api.env, { outbound: api.outbound })
  await openSandbox(given)
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(async () => {
  await given.stop()
  await api.stop()
})

const read = async <T>(path: string) => (await given.call<T>('GET', path, { key })).body

/** Sends a mail for each event by the provider. @returns their ids and addresses, in the same order */
async function sendMails({ provider, events }: ProviderEvents) {
  const sent = await Promise.all(
    events.map(async (_, at) => {
      const address = `${provider}-${at}@example.com`
      const event = { name: `${provider}.letter`, userId: `${provider}-${at}`, user: { email: address } }
      return { address, eventId: (await given.track(event)).body.eventId }
    }),
  )
  return Promise.all(
    sent.map(async ({ address, eventId }) => {
      const find = async () => (await read<Page<Delivery>>(`/v1/deliveries?eventId=${eventId}`)).data[0]
      await expect.poll(async () => (await find())?.status).toBe('sent')
      return { address, messageId: (await find())?.messageId ?? '' }
    }),
  )
}

/** What an event leads to, by its meaning: [status, engagement, suppression]. */
const EXPECTED: Record<NamedEvent['means'], [string, string, string[]]> = {
  read: ['sent', 'read', []],
  opened: ['sent', 'opened', []],
  clicked: ['sent', 'clicked', []],
  automated: ['sent', 'none', []],
  delivered: ['delivered', 'none', []],
  bounced: ['bounced', 'none', ['bounce']],
  dropped: ['bounced', 'none', []],
  deferred: ['sent', 'none', []],
  complaint: ['delivered', 'none', ['complaint']],
  unsubscribe: ['sent', 'none', ['unsubscribe']],
}
const REACHED: Record<string, string[]> = {
  read: ['read'],
  opened: ['read', 'opened'],
  clicked: ['read', 'opened', 'clicked'],
}

test.each(PROVIDER_EVENTS.map((one) => [one.provider, one] as const))(
  'every event of %s, signed its way, is recorded and counted once',
  async (provider, written) => {
    const body = { name: provider, provider, credentials: api.credentialsOf(written) }
    const created = await given.call<Integration>('POST', '/v1/email/integrations', { key, body })
    expect(created.status).toBe(201)
    const { id, webhookUrl, webhookCredentials: login } = created.body
    const campaignId = await given.publish({
      key: provider,
      name: provider,
      trigger: { event: `${provider}.letter` },
      steps: [{ id: 'tell', type: 'email', subject: 'Hello', html: '<p>Hello</p>' }],
    })
    const mails = await sendMails(written)
    const authorization = login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`
    for (const [at, event] of written.events.entries()) {
      const mail = mails[at] as { messageId: string; address: string }
      const { headers, body: text } = writeCall(written, { ...event, ...mail })
      const call = () =>
        fetch(given.url + new URL(webhookUrl).pathname, {
          method: 'POST',
          headers: { ...headers, ...(authorization && { authorization }) },
          body: text,
        })
      const answer = await call()
      expect(answer.status, event.name).toBe(200)
      expect(await answer.json()).toEqual({ received: 1, matched: 1, duplicates: 0, ignored: 0 })
      // A provider that hears no answer sends the call again.
      expect(await (await call()).json()).toEqual({ received: 1, matched: 0, duplicates: 1, ignored: 0 })

      const delivery = await read<Delivery>(`/v1/deliveries/${mail.messageId}`)
      const found = await read<Page<{ reason: string }>>(`/v1/suppressions?address=${encodeURIComponent(mail.address)}`)
      const outcome = [delivery.status, delivery.engagement, found.data.map(({ reason }) => reason)]
      expect(outcome, `${event.name} means ${event.means}`).toEqual(EXPECTED[event.means])
      const marked = delivery.timeline.filter(({ automated }) => automated).length
      expect(marked > 0).toBe(event.means === 'automated')
    }

    const count = (step: string) => written.events.filter(({ means }) => REACHED[means]?.includes(step)).length
    const { steps } = await read<FunnelAnswer>(`/v1/campaigns/${campaignId}/stats?channel=email`)
    expect(Object.fromEntries(steps.map((one) => [one.step, one.count]))).toEqual({
      delivery: written.events.length,
      read: count('read'),
      opened: count('opened'),
      clicked: count('clicked'),
    })
    expect((await given.call('DELETE', `/v1/email/integrations/${id}`, { key })).status).toBe(200)
  },
  60_000,
)
