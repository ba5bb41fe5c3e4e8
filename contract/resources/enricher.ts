// Describes an enricher: a customer's endpoint that a campaign asks for data.

import { z } from 'zod'
import type { JsonObject } from '../json.ts'
import { jsonObject } from '../schemas.ts'
import { keyName, wholeNumber } from './fields.ts'

/** Codes that the customer's SDK answers. */
export const ENRICHER_ERRORS = [
  'input-invalid',
  'hmac-invalid',
  'enricher-not-found',
  'handler-error',
  'internal',
] as const

/** Codes of calls without such an answer. */
export const CALL_ERRORS = [
  /** The environment has no enricher of that name (any more). */
  'unknown-enricher',
  /** No webhookSigningSecret is live, so nothing can be signed. */
  'no-signing-secret',
  /** The envelope is larger than the limit of an event. */
  'params-too-large',
  'timeout',
  'unreachable',
  /** The certificate is not valid for that host. */
  'bad-certificate',
  /** The address is not public, or uses plain HTTP. */
  'blocked-address',
  'redirect',
  'too-large',
  /** The answer is not JSON of the documented form, or exceeds a limit. */
  'bad-answer',
  /** Any other HTTP status, such as those of gateways. */
  'bad-status',
  /** Status 429, also at the last attempt. */
  'rate-limited',
  /** Nothing was sent, because recent calls failed too often. */
  'circuit-open',
  /** Nothing was sent, because too many calls are in progress or waiting. */
  'busy',
] as const

export const enricherName = keyName

/** It is kept as it was given, and checked at each call, because names and ranges of addresses change. */
const url = z
  .string()
  .min(1, 'This must not be empty.')
  .max(2048, 'At most 2048 characters.')
  .superRefine((text, context) => {
    const message = text === '' ? undefined : findUrlFault(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .meta({
    format: 'uri',
    pattern: '^https?://',
    description: 'https, without user, password, fragment or a parameter `name`.',
  })

export const enricherSettings = z
  .object({
    url,
    /** Keeps three attempts and their pauses below the limit of a call. */
    timeoutMs: wholeNumber(100, 10_000).default(5000),
    cacheSeconds: wholeNumber(0, 24 * 60 * 60).default(0),
  })
  .meta({ id: 'EnricherSettings' })

export const enricher = z
  .object({
    name: z.string(),
    url: z.string(),
    timeoutMs: z.number().int(),
    cacheSeconds: z.number().int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Enricher' })

export const enricherTrial = z
  .object({
    params: jsonObject<JsonObject>().default({}),
    user: jsonObject<JsonObject>().optional().meta({ description: 'Default: an example user with the id `test`.' }),
    event: jsonObject<JsonObject>().optional().meta({ description: 'Default: an example event.' }),
  })
  .meta({ id: 'EnricherTrial' })

export const enricherTrialAnswer = z
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
  .meta({ id: 'EnricherTrialAnswer' })

export type EnricherErrorCode = (typeof ENRICHER_ERRORS)[number] | (typeof CALL_ERRORS)[number]
export type EnricherSettings = z.output<typeof enricherSettings>
export type EnricherAnswer = z.output<typeof enricher>
export type EnricherTrial = z.output<typeof enricherTrial>
export type EnricherTrialAnswer = z.output<typeof enricherTrialAnswer>

function findUrlFault(text: string): string | undefined {
  const address = URL.canParse(text) ? new URL(text) : undefined
  if (address === undefined || text.trim() !== text || /\p{Cc}/u.test(text)) return 'This is no address.'
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return 'This must begin with https://.'
  if (address.username !== '' || address.password !== '') return 'An address with user or password is not called.'
  if (text.includes('#')) return 'This must not have a fragment.'
  if (address.searchParams.has('name')) return 'The parameter name is ours: it says which enricher is called.'
  return undefined
}
