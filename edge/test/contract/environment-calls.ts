// Calls each route of an environment's enrichers, texts, mailbox, requests to publish, and of what runs again; the caller checks their answers.

import { expect } from 'vitest'
import type { AgainJobAnswer, BegunAgainAnswer } from '../../../contract/resources/again-job.ts'
import type { CampaignAnswer } from '../../../contract/resources/campaign.ts'
import { type CallOptions, type GivenEdge, inboxCampaign } from '../support/given.ts'
import { givenDashboard } from '../support/given-dashboard.ts'

type Call = <T>(
  operation: string,
  values?: Record<string, string>,
  options?: CallOptions & { query?: string },
) => Promise<T>

export async function callEnricher(call: Call): Promise<void> {
  const name = 'profile'
  // Not reachable, so that the trial answers an error.
  await call('PUT /v1/enrichers/{name}', { name }, { body: { url: 'https://127.0.0.1:9/', timeoutMs: 1000 } })
  await call('GET /v1/enrichers')
  await call('GET /v1/enrichers/{name}', { name })
  await call('POST /v1/enrichers/{name}/test', { name }, { body: {} })
  await call('DELETE /v1/enrichers/{name}', { name })
}

export async function callTexts(call: Call): Promise<void> {
  const [locale, name] = ['de', 'footer']
  await call('PUT /v1/translations/{locale}', { locale }, { body: { order: { shipped: '{n, number} unterwegs' } } })
  await call('GET /v1/translations')
  await call('GET /v1/translations/{locale}', { locale })
  await call('PUT /v1/snippets/{name}', { name }, { body: { source: "{{ 'order.shipped' | t: n: 2 }}" } })
  await call('GET /v1/snippets')
  await call('GET /v1/snippets/{name}', { name })
  await call('DELETE /v1/snippets/{name}', { name })
  await call('DELETE /v1/translations/{locale}', { locale })
}

/** Without an integration a mail is kept. */
export async function callMailbox(call: Call, given: GivenEdge): Promise<void> {
  const steps = [{ id: 'letter', type: 'email', subject: 'Hello', markdown: 'Hello' }]
  await given.publish(inboxCampaign('letter', 'letter', { steps }))
  await given.track({ name: 'letter', userId: 'u_1', user: { email: 'ada@example.com' } })
  type Kept = { data: { messageId: string }[] }
  const list = () => call<Kept>('GET /v1/email/mailbox')
  await expect.poll(async () => (await list()).data).toHaveLength(1)
  const messageId = (await list()).data[0]?.messageId ?? ''
  await call('GET /v1/email/mailbox/{messageId}', { messageId })
  await call('GET /v1/deliveries/{messageId}/mail', { messageId })
}

/** For a run that was cancelled before its message. */
export async function callAgain(call: Call, given: GivenEdge): Promise<void> {
  const steps = [
    { id: 'wait', type: 'delay', for: 'P1D' },
    { id: 'tell', type: 'inbox', title: 'Late' },
  ]
  await given.publish(inboxCampaign('again', 'again', { steps }))
  const { eventId } = (await given.track({ name: 'again', userId: 'u_1' })).body
  const body = { campaignKey: 'again', userId: 'u_1' }
  const { runIds } = await call<{ runIds: string[] }>('POST /v1/runs/cancel', {}, { body })
  await call('POST /v1/runs/{runId}/run-again', { runId: runIds[0] ?? '' }, { body: { from: 'start' } })
  await call('POST /v1/events/{eventId}/run-again', { eventId })
  const query = `?eventId=${eventId}`
  const { data } = await call<{ data: { messageId: string }[] }>('GET /v1/deliveries', {}, { query })
  const messageId = data[0]?.messageId ?? ''
  await call('POST /v1/deliveries/{messageId}/send-again', { messageId })
  await call('POST /v1/deliveries/{messageId}/send-to-me', { messageId }, { body: { userId: 'u_1' } })
  const filter = { status: 'cancelled', campaignId: 'again' }
  const runs = { kind: 'runs', from: 'start', filter, pace: 6000 }
  const begun = await call<BegunAgainAnswer>('POST /v1/again', {}, { body: runs })
  const jobId = begun.job?.jobId ?? ''
  await call('GET /v1/again')
  await call<AgainJobAnswer>('GET /v1/again/{jobId}', { jobId })
  // A job that has ended cannot be stopped.
  const events = { kind: 'events', filter: { name: 'again' }, pace: 1 }
  await call('POST /v1/again/{jobId}/stop', { jobId: await beginNext(call, jobId, events) })
}

/** Two events at one a minute leave time to stop it. */
async function beginNext(call: Call, jobId: string, body: object): Promise<string> {
  for (;;) {
    const { state } = await call<AgainJobAnswer>('GET /v1/again/{jobId}', { jobId })
    if (state !== 'running') break
    await new Promise((resolve) => setImmediate(resolve))
  }
  return (await call<BegunAgainAnswer>('POST /v1/again', {}, { body })).job?.jobId ?? ''
}

/** Declines, withdraws and approves what another person asks to publish. */
export async function answerRequests(call: Call, given: GivenEdge, envId: string, as: CallOptions): Promise<void> {
  const environment = `/v1/dashboard/environments/${envId}`
  const { organisation } = await call<{ organisation: string }>('GET /v1/dashboard/environments/{envId}', { envId }, as)
  const asker = await givenDashboard(given).join(organisation, 'asker@example.com', 'admin')
  await asker.call('PUT', environment, { body: { requirePublishApproval: true } })
  const created = await asker.call<{ id: string }>('POST', `${environment}/campaigns`, {
    body: inboxCampaign('asked', 'asked'),
  })
  const { id } = created.body
  for (const step of ['decline', 'withdraw', 'approve']) {
    const asked = await asker.call<CampaignAnswer>('POST', `${environment}/campaigns/${id}/publish`)
    const revision = asked.body.pendingPublish?.revision
    const body = step === 'decline' ? { revision, reason: 'No' } : { revision }
    const path = `/v1/dashboard/environments/{envId}/campaigns/{id}/publish/${step}`
    await call(`POST ${path}`, { envId, id }, { ...as, body })
  }
}
