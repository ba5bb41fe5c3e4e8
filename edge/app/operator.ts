// Calls the routes of the server in this process, as its operator: no key is asked for, and the audit log names the command.

import type { ErrorBody } from '../../contract/errors.ts'
import type { ChangedBy } from '../domain/audit.ts'
import { NO_MARKS } from '../domain/in-hand.ts'
import type { Http } from '../http/kernel/http.ts'
import { createOperatorCallers } from '../http/kernel/operator-callers.ts'
import type { Method } from '../http/kernel/route-spec.ts'
import { createMetrics } from '../http/site/metrics.ts'
import { ApiError } from '../lib/api-error.ts'
import { createLog } from '../lib/log.ts'
import { RELEASE } from '../lib/release.ts'
import type { AppCore, AppDeps } from './core.ts'
import { wireHttp } from './wire-http.ts'
import type { PeopleParts } from './wire-people.ts'
import { wireServices } from './wire-services.ts'

export type Query = Record<string, string | undefined>

/** The routes below a path. */
export interface Routes {
  /**
   * @param path parts that a customer names are escaped
   * @returns the body of the answer
   * @throws ApiError that refuses the call, with all faults of body or query
   */
  call<Answer>(method: Method, path: string, given?: { body?: object; query?: Query }): Promise<Answer>
}

export interface Operator {
  /** The parts of the service, for what has no route. */
  core: AppCore
  /** The routes of an environment, which a key or a person calls elsewhere. */
  inEnvironment(id: string): Routes
  /** The routes of an organisation, which its members call elsewhere. */
  inOrganisation(id: string): Routes
  /** The routes of who belongs to an organisation: its members, invitations and single sign-on. */
  amongMembers(id: string): Routes
  /** What only the operator may do for people, and no route has. */
  people: PeopleParts['ofOperator']
  close(): Promise<void>
}

export type OperatorDeps = Pick<AppDeps, 'settings' | 'stores' | 'masterKeys' | 'clock' | 'findTexts' | 'publicUrl'> & {
  by: ChangedBy
}

export function openOperator({ by, settings, ...deps }: OperatorDeps): Operator {
  const defects: unknown[] = []
  const services = wireServices(
    {
      ...deps,
      // A running server reads each change from the store.
      settings: { ...settings, redisUrl: null },
      log: createLog('silent'),
      metrics: createMetrics(),
      inHand: NO_MARKS,
      // The operator waits for a mail, and has its link in any case.
      mailPausesMs: { attempts: [], accounts: [] },
      version: RELEASE,
      ...NO_FILES,
    },
    { pollJobs() {}, scheduleTimers() {}, scheduleMails() {} },
  )
  const http = wireHttp(services, {
    callers: createOperatorCallers({ ...deps.stores, by }),
    onDefect: (error) => void defects.push(error),
    isStopping: () => false,
    isDraining: () => false,
    isDiskLow: () => false,
    diskFreeBytes: () => 0,
    sockets: () => 0,
    widgetFiles: new Map(),
    dashboardFiles: new Map(),
  })
  return {
    core: services.core,
    inEnvironment: (id) => createRoutes(http, `/v1/dashboard/environments/${id}`, defects),
    inOrganisation: (id) => createRoutes(http, `/v1/dashboard/organisations/${id}`, defects),
    amongMembers: (id) => createRoutes(http, `/v1/dashboard/auth/organisations/${id}`, defects),
    people: services.people.ofOperator,
    async close() {
      await services.enrichers.stop()
      await services.close()
    },
  }
}

const NO_ID = 'An id or a name is empty, or has dots alone.'

/** No page and no disk is asked for. */
const NO_FILES = { widgetDist: '', dashboardDist: '', reusableBytes: async () => 0 }

function createRoutes({ app }: Http, base: string, defects: unknown[]): Routes {
  return {
    async call<Answer>(
      method: Method,
      path: string,
      { body, query = {} }: { body?: object; query?: Query } = {},
    ): Promise<Answer> {
      // An address loses such parts, and would be another one.
      if (
        path
          .split('/')
          .slice(1)
          .some((part) => /^\.{0,2}$/.test(part))
      )
        throw new ApiError('request/not-found', { message: NO_ID })
      const init = { method: method.toUpperCase() }
      const answer = await app.request(base + path + searchOf(query), body === undefined ? init : withBody(init, body))
      const answered: unknown = await answer.json()
      if (answer.ok) return answered as Answer
      const defect = defects.pop()
      if (defect !== undefined) throw defect
      const { code, correlationId: _, ...extra } = answered as ErrorBody
      throw new ApiError(code, extra)
    },
  }
}

function withBody(init: { method: string }, body: object) {
  const text = JSON.stringify(body)
  // A route whose body is optional asks for its length.
  const headers = { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` }
  return { ...init, headers, body: text }
}

function searchOf(query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
