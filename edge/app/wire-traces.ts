// Puts spans around what leaves a request: commits, evaluations of campaigns, calls to customers, mails, deliveries. Without traces
// everything stays as it was.

import type { RunStart } from '../campaign/compiled.ts'
import type { Evaluator } from '../campaign/evaluator.ts'
import type { CommitPlan } from '../domain/commit-plan.ts'
import type { EnricherCall } from '../domain/enricher.ts'
import type { MailRoute } from '../domain/mail/mail-provider.ts'
import type { SpanAttributes, SpanSpec, Traces } from '../domain/traces.ts'
import type { EnricherCalls } from '../enrichers/enrichers.ts'
import type { ReceiveDelivery } from '../flow/connector/receive-delivery.ts'
import { formatId } from '../lib/id.ts'
import type { GuardedFetch } from '../lib/outbound/guarded-fetch.ts'

type MaybeTraces = Traces | undefined

/** A span for each plan: it lasts until the batch that has it is committed. */
export function traceCommits(traces: MaybeTraces, commitPlan: CommitPlan): CommitPlan {
  if (traces === undefined) return commitPlan
  const commit = commitPlan as (plan: Parameters<CommitPlan>[0]) => Promise<unknown>
  return ((plan: { kind: string }) =>
    traces.run({ name: `commit ${plan.kind}`, attributes: { 'nc.plan.kind': plan.kind } }, () =>
      commit(plan as Parameters<CommitPlan>[0]),
    )) as CommitPlan
}

/** A span for each step at which a run begins or continues. */
export function traceEvaluations(traces: MaybeTraces, evaluator: Evaluator): Evaluator {
  if (traces === undefined) return evaluator
  const about = (name: string, { environment, campaign, eventId, correlationId }: RunStart): SpanSpec => ({
    name,
    correlationId,
    attributes: {
      'nc.environment.id': formatId('environment', environment.id),
      'nc.campaign.id': formatId('campaign', campaign.campaign.id),
      'nc.event.id': formatId('event', eventId),
    },
  })
  return {
    ...evaluator,
    begin: (start) => traces.run(about('begin run', start), () => evaluator.begin(start)),
    continueRun: (suspended, reason) =>
      traces.run(about('continue run', suspended.start), (span) => {
        span.set({ 'nc.run.id': formatId('run', suspended.run.id), 'nc.reason': reason.by })
        return evaluator.continueRun(suspended, reason)
      }),
  }
}

/** A span for each call of an enricher, with its attempts below. */
export function traceEnrichers(traces: MaybeTraces, calls: EnricherCalls): EnricherCalls {
  if (traces === undefined) return calls
  const about = ({ environmentId, correlationId }: EnricherCall): SpanSpec => ({
    name: 'call enricher',
    correlationId,
    attributes: { 'nc.environment.id': formatId('environment', environmentId) },
  })
  return {
    ...calls,
    call: (call) =>
      traces.run(about(call), async (span) => {
        const result = await calls.call(call)
        span.set({ 'nc.attempts': result.attempts })
        if (!result.ok) span.fail(result.code)
        return result
      }),
  }
}

/** A span for each request to a customer, who gets its `traceparent`. Of the address, only the host is kept. */
export function traceFetch(traces: MaybeTraces, fetch: GuardedFetch['fetch']): GuardedFetch['fetch'] {
  if (traces === undefined) return fetch
  return (url, options = {}) => {
    const { method = 'GET' } = options
    const host: SpanAttributes = URL.canParse(url) ? { 'server.address': new URL(url).hostname } : {}
    return traces.run(
      { name: method, kind: 'client', attributes: { 'http.request.method': method, ...host } },
      async (span) => {
        const headers = { ...options.headers, ...traces.outgoingHeaders() }
        const answer = await fetch(url, { ...options, headers })
        span.set({ 'http.response.status_code': answer.status })
        if (answer.status >= 400) span.fail(String(answer.status))
        return answer
      },
    )
  }
}

/** A span for each mail that a provider is asked to take. */
export function traceRoute(traces: MaybeTraces, route: MailRoute): MailRoute {
  if (traces === undefined) return route
  const { sender, provider } = route
  return {
    ...route,
    sender: {
      ...sender,
      send: (mail) =>
        traces.run(
          { name: 'send mail', kind: 'client', attributes: { 'nc.mail.provider': provider } },
          async (span) => {
            const outcome = await sender.send(mail)
            span.set({ 'nc.mail.outcome': outcome.outcome })
            return outcome
          },
        ),
    },
  }
}

/** A span for each delivery of a platform. */
export function traceDeliveries(traces: MaybeTraces, deliveries: ReceiveDelivery): ReceiveDelivery {
  if (traces === undefined) return deliveries
  return {
    ...deliveries,
    receive: (target, call, correlationId) =>
      traces.run(
        { name: 'receive delivery', attributes: { 'nc.platform': target.source.provider }, correlationId },
        () => deliveries.receive(target, call, correlationId),
      ),
  }
}
