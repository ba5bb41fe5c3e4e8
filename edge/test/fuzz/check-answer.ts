// Checks one answer of a fuzzed request against the API reference, and for what no answer may contain.

import { ERRORS } from '../../../contract/errors.ts'
import { type Components, validatorOf } from '../support/schema-arbitrary.ts'
import type { Operation } from './requests.ts'
import { limitOf, type Received } from './send.ts'

export interface AnswerRules {
  components: Components
  /** Texts that no answer may contain. */
  secrets(): string[]
}

/** What the request was, where the reference does not describe its answer. */
export interface Asked {
  /** Another method than that of the operation: only the form of errors is checked. */
  isMethodChanged: boolean
  isHead: boolean
  /** The dashboard's path of a route of keys, which the reference describes with the codes of keys. */
  isFromDashboard: boolean
  /** Whether the path may be another one than that of the operation. */
  isPathOdd: boolean
  /** Whether the answer may show secrets of its own environment. */
  ownSecrets: string[]
}

const STACK = /\n\s+at |node:internal|node_modules/
const PATHS = /(?<![\w.])\/(?:tmp|home|work|root|usr|var)\/[\w.-]+\//
const SQL = /SQLITE_|syntax error at or near|\b(?:INSERT INTO|UPDATE) \w+ (?:SET|\()/
/** Routes that answer secrets, or texts that callers wrote. */
const SHOWS = /secrets|sources|environments|auth\/totp|integrations/

/** @returns What is wrong with the answer; undefined where nothing is. */
export function createAnswerCheck({ components, secrets }: AnswerRules) {
  const validators = new Map<string, (value: unknown) => string[]>()

  function faultOfBody(operation: Operation, { status, text, headers }: Received): string | undefined {
    const described = operation.responses[status]
    if (described === undefined) return `status ${status} is not documented`
    const type = String(headers['content-type'] ?? '').split(';')[0] ?? ''
    const content = described.content?.[type]
    if (status >= 300 && text === '') return undefined
    if (described.content === undefined) return text === '' ? undefined : `status ${status} has a body`
    if (content === undefined) return `status ${status} has the type ${type || 'none'}`
    if (type !== 'application/json') return undefined
    const key = `${operation.name} ${status}`
    const validate = validators.get(key) ?? validatorOf(content.schema, components)
    validators.set(key, validate)
    const [first] = validate(JSON.parse(text))
    return first === undefined ? undefined : `status ${status} differs from its schema at ${withoutIndexes(first)}`
  }

  return (operation: Operation, received: Received, asked: Asked): string | undefined => {
    const { status, text, headers, tookMs } = received
    if (tookMs > limitOf(operation.path)) return 'takes too long'
    if (status >= 400 && !asked.isHead) {
      const fault = faultOfError(received)
      if (fault !== undefined) return fault
    }
    if (status === 500) return 'status 500'
    if (status === 503 && headers['retry-after'] === undefined) return 'status 503 without Retry-After'
    if (status >= 400 && STACK.test(text)) return 'a stack in the answer'
    if (status >= 400 && PATHS.test(text)) return 'a path of the machine in the answer'
    if (status >= 400 && SQL.test(text)) return 'SQL in the answer'
    if (secrets().some((secret) => text.includes(secret))) return 'a foreign secret in the answer'
    const shows = status < 400 && SHOWS.test(operation.path)
    if (!shows && asked.ownSecrets.some((secret) => text.includes(secret))) return 'a secret in the answer'
    if (asked.isHead || asked.isMethodChanged) return undefined
    if (status >= 400) return faultOfCode(operation, received, asked)
    return faultOfBody(operation, received)
  }
}

const withoutIndexes = (text: string) => text.replace(/\/\d+/g, '/n').slice(0, 200)

/** The envelope of docs/errors.md. */
function faultOfError({ status, text, headers }: Received): string | undefined {
  let body: Record<string, unknown>
  try {
    body = JSON.parse(text) as Record<string, unknown>
  } catch {
    return String(headers['content-type']).startsWith('text/html') ? undefined : `status ${status} without JSON`
  }
  const { code, message, correlationId } = body
  if (typeof code !== 'string' || typeof message !== 'string') return `status ${status} without code or message`
  if (ERRORS[code as keyof typeof ERRORS]?.status !== status) return `status ${status} with the code ${code}`
  return correlationId === headers['x-correlation-id'] ? undefined : `status ${status} with another correlation id`
}

/** Codes of callers of the dashboard. */
const OF_PEOPLE = /^auth\/(unauthenticated|onboarding-not-completed)$|^authorization\//

/** A code that this operation does not list. */
function faultOfCode(
  { responses }: Operation,
  { status, text, headers }: Received,
  { isFromDashboard, isPathOdd }: Asked,
): string | undefined {
  if (String(headers['content-type']).startsWith('text/html'))
    return responses[status]?.content?.['text/html'] === undefined ? `status ${status} is a page` : undefined
  const { code } = JSON.parse(text) as { code: string }
  if (isPathOdd && code === 'request/not-found') return undefined
  if (isFromDashboard && OF_PEOPLE.test(code)) return undefined
  return responses[status]?.description.includes(`\`${code}\``) ? undefined : `the code ${code} is not documented`
}
