// Tests request bodies against the API reference: bodies that it allows are accepted, and others are refused.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthAnswer } from '../../../contract/api.ts'
import { STEP_TYPES } from '../../campaign/steps/registry.ts'
import { type CallOptions, type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import {
  type Adjust,
  allowed,
  type Components,
  invalidVariants,
  replaceAt,
  type Schema,
  validatorOf,
} from '../support/schema-arbitrary.ts'

interface Reference {
  components: { schemas: Components }
  paths: Record<string, Record<string, { requestBody?: { content: { 'application/json': { schema: Schema } } } }>>
}

const RUNS = Number(process.env.NC_BODY_RUNS ?? 25)
const SEED = Number(process.env.NC_SEED ?? 18)
/** Codes of answers to an invalid body. */
const REFUSED = ['request/invalid-body', 'campaign/invalid-definition', 'auth/invalid-inputs', 'event/invalid-name']

let given: GivenEdge
let reference: Reference
let session: AuthAnswer
let campaignId: string
let changedId: string
let fixed: Record<string, Record<string, unknown>>

beforeAll(async () => {
  given = await givenEdge({ RATE_LIMITS: 'auth=100000,inbox=100000' })
  reference = (await given.call<Reference>('GET', '/openapi.json')).body
  campaignId = await given.publish(inboxCampaign('bodies', 'bodies', { category: 'orders' }))
  changedId = await given.publish(inboxCampaign('changed', 'changed'))
  session = await given.signIn('u_1')
  const { sdkSecretKey, frontApiKey } = given.demo.environments.dev
  fixed = {
    TrackRequest: { sdkSecretKey },
    TrackBatchRequest: { sdkSecretKey },
    UsersAuthRequest: { apiKey: frontApiKey },
  }
})
afterAll(() => given.stop())

let count = 0
const unique = () => `k${count++}`
const withoutOthers = (value: Record<string, unknown>, keys: string[], kept: string | undefined) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key) || key === kept))
const withExactlyOne = (value: Record<string, unknown>, keys: string[], fallback: Record<string, unknown>) => {
  const found = keys.find((key) => value[key] !== undefined && value[key] !== null && value[key] !== false)
  return found === undefined
    ? { ...withoutOthers(value, keys, undefined), ...fallback }
    : withoutOthers(value, keys, found)
}
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const withId = (value: Record<string, unknown>) => ({ ...value, id: unique() })

/**
 * Rules of a definition that no schema expresses; steps of other campaigns do not exist here.
 * The remaining steps get a unique id.
 */
const ADJUST: Adjust = {
  ...Object.fromEntries(STEP_TYPES.map(({ title }) => [title, withId])),
  CampaignDefinition: (value) => withOneDigest({ ...value, key: unique(), notificationConfigId: null }),
  CampaignDraft: ({ key: _, ...value }) => withOneDigest({ ...value, notificationConfigId: null }),
  EmailStep: (value) => withId({ ...withExactlyOne(value, ['html', 'markdown'], { html: 'x' }), unless: null }),
  // Not all weights are 0, and at most one branch is the `else`.
  Branch: (value) => ({
    ...withExactlyOne(
      { ...value, else: null, weight: typeof value.weight === 'number' ? 1 : null },
      ['when', 'weight', 'else'],
      { when: 'true' },
    ),
    key: unique(),
  }),
  DelayStep: (value) => withId(withExactlyOne(value, ['for', 'until', 'untilQuietHoursEnd'], { for: 'PT1H' })),
  // A schema does not express times in the future, existing categories and lists without common values.
  MessageChange: ({ snoozedUntil, ...value }) => (snoozedUntil ? { ...value, snoozedUntil: inAnHour() } : value),
  PreferencesChange: ({ categories, quietHours, ...value }) => ({
    ...value,
    categories: Array.isArray(categories)
      ? categories.slice(0, 1).map((category) => ({ ...category, key: 'orders' }))
      : [],
    quietHours: quietHours && { start: '22:00', end: '07:30', timeZone: 'Europe/London' },
  }),
  SubscriberChange: ({ remove: _, ...value }) => value,
  // Of the two channels, only mail has addresses.
  NewSuppression: (value) => ({ ...value, channel: 'email' }),
  PreviewRequest: (value) => ({ ...value, stepId: 'tell' }),
}

type Written = Record<string, unknown>

/** Replaces each digest that comes after another one on its path: a run passes at most one. */
function keepFirstDigest(steps: Written[], hasPassed = false): { steps: Written[]; hasPassed: boolean } {
  let passed = hasPassed
  const kept = steps.map((step) => {
    if (step.type === 'digest') {
      if (passed) return { id: step.id, type: 'exit' }
      passed = true
    }
    if (!Array.isArray(step.branches)) return step
    const before = passed
    const branches = step.branches.map((branch: Written) => {
      const inner = keepFirstDigest(branch.steps as Written[], before)
      passed ||= inner.hasPassed
      return { ...branch, steps: inner.steps }
    })
    return { ...step, branches }
  })
  return { steps: kept, hasPassed: passed }
}

const withOneDigest = (value: Written): Written =>
  Array.isArray(value.steps) ? { ...value, steps: keepFirstDigest(value.steps).steps } : value

interface Operation {
  method: string
  path: string
  schema: Schema
}

/** Returns the operations of keys, widgets and anyone: a person is needed before the others read a body. */
function operations(): Operation[] {
  const paths = Object.entries(reference.paths).filter(([path]) => !path.startsWith('/v1/dashboard/'))
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      requestBody === undefined ? [] : [{ method, path, schema: requestBody.content['application/json'].schema }],
    ),
  )
}

async function send({ method, path }: Operation, body: unknown) {
  const isWidget = path.startsWith('/v1/inbox') || path.startsWith('/v1/notification')
  const credential: CallOptions = isWidget ? { session } : { key: given.demo.environments.dev.sdkSecretKey }
  const target = path
    .replace('/v1/campaigns/{id}', `/v1/campaigns/${method === 'put' ? changedId : campaignId}`)
    // No enricher is called: only the one that is written exists.
    .replace('{name}', method === 'put' ? 'written' : 'none')
    .replace(/\{(\w+)\}/g, (_, name: string) => (name === 'id' ? 'msg_1' : 'u_1'))
  return given.call<{ code?: string; details?: object }>(method.toUpperCase(), target, { ...credential, body })
}

const withFixed = (schema: Schema, body: unknown) => ({ ...(body as object), ...fixed[nameOf(schema)] })
const nameOf = (schema: Schema) => schema.$ref?.split('/').pop() ?? ''

test('bodies that the reference allows are not refused as invalid', async () => {
  const refused: object[] = []
  for (const operation of operations()) {
    const { schema, method, path } = operation
    const validate = validatorOf(schema, reference.components.schemas)
    const isValid = (body: unknown) => validate(body).length === 0
    const bodies = allowed(schema, reference.components.schemas, ADJUST).map((body) => withFixed(schema, body))
    for (const body of fc.sample(bodies.filter(isValid), { numRuns: RUNS, seed: SEED })) {
      const { body: answer } = await send(operation, body)
      if (!REFUSED.includes(answer.code ?? '')) continue
      refused.push({ call: `${method} ${path}`, body, details: answer.details })
      break
    }
  }
  expect(refused).toEqual([])
})

// One invalid item does not block the others: it has a result of its own.
const ITEM_PATH = /^\/events\/\d+/

test('bodies that the reference forbids are refused', async () => {
  const accepted: object[] = []
  let sent = 0
  for (const operation of operations()) {
    const { schema, method, path } = operation
    const validate = validatorOf(schema, reference.components.schemas)
    const isValid = (body: unknown) => validate(body).length === 0
    const bodies = allowed(schema, reference.components.schemas, ADJUST).map((body) => withFixed(schema, body))
    const validBodies = fc.sample(bodies.filter(isValid), { numRuns: RUNS, seed: SEED })
    const variants = validBodies.flatMap((body) =>
      invalidVariants(schema, reference.components.schemas, body).map((variant) => ({
        ...variant,
        body: replaceAt(body, variant.path, variant.value),
      })),
    )
    const invalid = variants.filter(
      (variant) => variant.path !== '' && !ITEM_PATH.test(variant.path) && !isValid(variant.body),
    )
    const places = new Map(
      invalid.map((variant) => [`${variant.path} ${JSON.stringify(variant.value)?.slice(0, 40)}`, variant]),
    )
    for (const variant of [...places.values()].slice(0, RUNS * 2)) {
      sent++
      const { status } = await send(operation, variant.body)
      if (status >= 400) continue
      accepted.push({ call: `${method} ${path}`, path: variant.path, body: variant.body })
      break
    }
  }
  expect(accepted).toEqual([])
  expect(sent).toBeGreaterThan(10 * operations().length)
})
