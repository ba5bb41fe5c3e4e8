// Serves what is sent or run again: one message, one event, one run, or all of a filter by a job.

import {
  againAnswer,
  eventAgainAnswer,
  eventAgainRequest,
  runAgainRequest,
  sendAgainRequest,
  sendToMeRequest,
} from '../../../contract/resources/again.ts'
import { againJob, againJobPage, againJobRequest, begunAgain } from '../../../contract/resources/again-job.ts'
import { boundedPageQuery } from '../../../contract/resources/page.ts'
import type { AgainCaller } from '../../flow/again/commit-again.ts'
import { cutPage } from '../../lib/cut-page.ts'
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
export function addAgainRoutes(
  http: Http,
  { runAgain, manageAgain }: Pick<Services, 'runAgain' | 'manageAgain'>,
): void {
  addMessageRoutes(http, runAgain)
  addJobRoutes(http, manageAgain)
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

function addJobRoutes(http: Http, manageAgain: Services['manageAgain']): void {
  const base = { tag: 'Deliveries', caller: 'key' } as const
  addRoute(
    http,
    {
      ...BASE,
      tag: 'Deliveries',
      path: '/v1/again',
      summary: 'Count what matches a filter, and send or run it again by a job at a pace',
      body: againJobRequest,
      answer: { status: 200, schema: begunAgain, description: 'The job is on disk, and goes on over restarts.' },
      errors: ['request/conflict'],
    },
    (call) => manageAgain.begin(callerOf(call), call.body),
  )
  addRoute(
    http,
    {
      ...base,
      method: 'get',
      path: '/v1/again',
      role: 'viewer',
      summary: 'List the last 50 jobs that sent or ran again, newest first',
      query: boundedPageQuery,
      answer: { status: 200, schema: againJobPage },
      errors: [],
    },
    async ({ environment, query }) =>
      cutPage({ list: 'again', of: environment.id }, await manageAgain.list(environment.id), query),
  )
  addRoute(
    http,
    {
      ...base,
      method: 'get',
      path: '/v1/again/:jobId',
      role: 'viewer',
      summary: 'Read how far a job is',
      answer: { status: 200, schema: againJob },
      errors: ['request/not-found'],
    },
    ({ environment, params }) => manageAgain.get(environment.id, params.jobId ?? ''),
  )
  addRoute(
    http,
    {
      ...BASE,
      tag: 'Deliveries',
      path: '/v1/again/:jobId/stop',
      summary: 'Stop a job after the items in hand',
      answer: { status: 200, schema: againJob },
      errors: ['request/not-found', 'request/conflict'],
    },
    (call) => manageAgain.stop(callerOf(call), call.params.jobId ?? ''),
  )
}
