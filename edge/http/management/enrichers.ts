// Serves /v1/enrichers: list, read, put, delete, test.

import { z } from '@hono/zod-openapi'
import { pageOf } from '../../../contract/schemas.ts'
import { CALL_ERRORS, ENRICHER_ERRORS } from '../../domain/enricher.ts'
import type { JsonObject } from '../../domain/json.ts'
import { CACHE_RANGE_SECONDS, TIMEOUT_RANGE_MS } from '../../domain/tenant/parse-enricher.ts'
import type { ManageEnrichers, TryEnricher } from '../../flow/tenant/manage-enrichers.ts'
import { changedBy, requireMayManage } from '../callers.ts'
import { DELETED } from '../deleted.ts'
import type { Http } from '../http.ts'
import { pageQuery } from '../page.ts'
import { addRoute } from '../route.ts'
import { jsonObjectSchema } from '../track-schema.ts'

const PATH = '/v1/enrichers'
const BASE = { tag: 'Enrichers', caller: 'key' } as const

const settingsSchema = z
  .object({
    url: z.string().openapi({
      format: 'uri',
      maxLength: 2048,
      pattern: '^https?://',
      description: 'https, without user, password, fragment or a parameter `name`.',
    }),
    timeoutMs: z.number().int().min(TIMEOUT_RANGE_MS.min).max(TIMEOUT_RANGE_MS.max).default(5000),
    cacheSeconds: z.number().int().min(CACHE_RANGE_SECONDS.min).max(CACHE_RANGE_SECONDS.max).default(0),
  })
  .openapi('EnricherSettings')

const enricherSchema = z
  .object({
    name: z.string(),
    url: z.string(),
    timeoutMs: z.number().int(),
    cacheSeconds: z.number().int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('Enricher')

const trialSchema = z
  .object({
    params: jsonObjectSchema.default({}),
    user: jsonObjectSchema.optional().openapi({ description: 'Default: an example user with the id `test`.' }),
    event: jsonObjectSchema.optional().openapi({ description: 'Default: an example event.' }),
  })
  .openapi('EnricherTrial')

const trialAnswerSchema = z
  .object({
    ok: z.boolean(),
    name: z.string(),
    data: z.unknown().optional(),
    error: z
      .object({
        code: z.enum([...ENRICHER_ERRORS, ...CALL_ERRORS]),
        message: z.string(),
        reason: z.string().optional(),
      })
      .optional(),
    attempts: z.number().int(),
    durationMs: z.number(),
  })
  .openapi('EnricherTrialAnswer')

export interface EnrichersDeps {
  manageEnrichers: ManageEnrichers
  tryEnricher: TryEnricher
}

export function addEnricherRoutes(http: Http, { manageEnrichers, tryEnricher }: EnrichersDeps): void {
  addReadRoutes(http, manageEnrichers)
  addWriteRoutes(http, manageEnrichers)
  addRoute(
    http,
    {
      ...BASE,
      method: 'post',
      path: `${PATH}/:name/test`,
      summary: 'Call an enricher now, without cache and circuit breaker, and answer its result',
      body: trialSchema,
      answer: { status: 200, schema: trialAnswerSchema },
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
      summary: 'List enrichers',
      query: pageQuery,
      answer: { status: 200, schema: pageOf(enricherSchema).openapi('EnricherPage') },
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
      summary: 'Read an enricher',
      answer: { status: 200, schema: enricherSchema },
      errors: ['enricher/not-found'],
    },
    (call) => enrichers.get(call.environment.id, call.params.name ?? ''),
  )
}

function addWriteRoutes(http: Http, enrichers: ManageEnrichers): void {
  addRoute<'key', JsonObject>(
    http,
    {
      ...BASE,
      method: 'put',
      path: `${PATH}/:name`,
      summary: 'Add or replace an enricher',
      role: 'admin',
      ownBody: settingsSchema,
      guards: [requireMayManage],
      answer: { status: 200, schema: enricherSchema },
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
