// Serves what is sent or run again: one message, one event, one run.

import {
  againAnswer,
  eventAgainAnswer,
  eventAgainRequest,
  runAgainRequest,
  sendAgainRequest,
  sendToMeRequest,
} from '../../../contract/resources/again.ts'
import type { AgainCaller } from '../../flow/again/commit-again.ts'
import { changedBy } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { ManagementCaller } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'

const BASE = { method: 'post', caller: 'key', role: 'editor' } as const
const ANSWER = { status: 200, schema: againAnswer } as const

const callerOf = (call: ManagementCaller & { correlationId: string }): AgainCaller => ({
  environment: call.environment,
  secretId: call.secretId,
  correlationId: call.correlationId,
  by: changedBy(call),
  isAudited: true,
})

/** Adds the routes for every key, because a caller that may track events may also run them again. */
export function addAgainRoutes(http: Http, { runAgain }: Pick<Services, 'runAgain'>): void {
  addMessageRoutes(http, runAgain)
  addRoute(
    http,
    {
      ...BASE,
      tag: 'Events',
      path: '/v1/events/:eventId{evt_[^/]*}/run-again',
      summary: 'Run an event again: the campaigns of now start with a new event that names the old one',
      body: eventAgainRequest,
      isBodyOptional: true,
      answer: { status: 200, schema: eventAgainAnswer },
      errors: ['event/not-found', 'request/conflict'],
    },
    (call) => runAgain.event(callerOf(call), call.params.eventId ?? '', call.body),
  )
  addRoute(
    http,
    {
      ...BASE,
      tag: 'Events',
      path: '/v1/runs/:runId/run-again',
      summary: 'Run again a run that failed, from the failed step or its start',
      body: runAgainRequest,
      isBodyOptional: true,
      answer: ANSWER,
      errors: ['run/not-found', 'request/conflict'],
    },
    (call) => runAgain.run(callerOf(call), call.params.runId ?? '', call.body),
  )
}

function addMessageRoutes(http: Http, runAgain: Services['runAgain']): void {
  const errors = ['message/not-found', 'run/not-found', 'request/conflict'] as const
  addRoute(
    http,
    {
      ...BASE,
      tag: 'Deliveries',
      path: '/v1/deliveries/:messageId/send-again',
      summary: 'Send again a message that failed or was held back; rules that still hold it back do so again',
      body: sendAgainRequest,
      isBodyOptional: true,
      answer: ANSWER,
      errors,
    },
    (call) => runAgain.message(callerOf(call), call.params.messageId ?? '', call.body),
  )
  addRoute(
    http,
    {
      ...BASE,
      tag: 'Deliveries',
      path: '/v1/deliveries/:messageId/send-to-me',
      summary: 'Send a message to one user as a test, rendered anew with their profile',
      body: sendToMeRequest,
      answer: ANSWER,
      errors,
    },
    (call) => runAgain.toMe(callerOf(call), call.params.messageId ?? '', call.body),
  )
}
