// Serves /v1/enrichers: list, read, put, delete, test.

import {
  type EnricherSettings,
  enricher,
  enricherName,
  enricherSettings,
  enricherTrial,
  enricherTrialAnswer,
} from '../../../contract/resources/enricher.ts'
import { pageQuery } from '../../../contract/resources/page.ts'
import { pageOf } from '../../../contract/schemas.ts'
import type { ManageEnrichers } from '../../flow/tenant/manage-enrichers.ts'
import { findFaults } from '../../lib/check-schema.ts'
import { changedBy, requireMayManage } from '../kernel/callers.ts'
import { DELETED } from '../kernel/deleted.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { Services } from '../kernel/services.ts'

const PATH = '/v1/enrichers'
const BASE = { tag: 'Enrichers', caller: 'key' } as const

export function addEnricherRoutes(
  http: Http,
  { manageEnrichers, tryEnricher }: Pick<Services, 'manageEnrichers' | 'tryEnricher'>,
): void {
  addReadRoutes(http, manageEnrichers)
  addWriteRoutes(http, manageEnrichers)
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${PATH}/:name/test`,
      role: 'editor',
      summary: 'Call an enricher now, without cache and circuit breaker, and answer its result',
      body: enricherTrial,
      answer: { status: 200, schema: enricherTrialAnswer },
      errors: ['enricher/not-found'],
    },
    (call) => tryEnricher(call.environment.id, call.params.name ?? '', call.body, call.correlationId),
  )
}

function addReadRoutes(http: Http, enrichers: ManageEnrichers): void {
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: PATH,
      role: 'viewer',
      summary: 'List enrichers',
      query: pageQuery,
      answer: { status: 200, schema: pageOf(enricher).openapi('EnricherPage') },
      errors: [],
    },
    (call) => enrichers.list(call.environment.id, call.query),
  )
  addRoute(
    http,
    {
      ...BASE,
      method: 'get',
      path: `${PATH}/:name`,
      role: 'viewer',
      summary: 'Read an enricher',
      answer: { status: 200, schema: enricher },
      errors: ['enricher/not-found'],
    },
    (call) => enrichers.get(call.environment.id, call.params.name ?? ''),
  )
}

function addWriteRoutes(http: Http, enrichers: ManageEnrichers): void {
  addRoute<'key', EnricherSettings>(
    http,
    {
      ...BASE,
      method: 'put',
      path: `${PATH}/:name`,
      summary: 'Add or replace an enricher',
      role: 'admin',
      faults: (_, { name }) => findFaults(enricherName, name, 'name'),
      body: enricherSettings,
      guards: [requireMayManage],
      answer: { status: 200, schema: enricher },
      errors: ['authorization/not-allowed'],
    },
    (call) => enrichers.put(call.environment.id, call.params.name ?? '', call.body, changedBy(call)),
  )
  addRoute<'key'>(
    http,
    {
      ...BASE,
      method: 'delete',
      path: `${PATH}/:name`,
      summary: 'Remove an enricher; steps that name it fail from then on',
      role: 'admin',
      guards: [requireMayManage],
      answer: DELETED,
      errors: ['authorization/not-allowed', 'enricher/not-found'],
    },
    (call) => enrichers.remove(call.environment.id, call.params.name ?? '', changedBy(call)),
  )
}
