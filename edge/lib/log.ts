// Writes the log: JSON lines of allowed fields, with everything that looks like a credential removed.

import { pino } from 'pino'
import { isUnavailable } from './api-error.ts'
import { createLogOutput } from './log-output.ts'

/** The only fields of a line besides level, time and message. No bodies, headers, addresses or titles. */
export interface LogFields {
  correlationId?: string
  environmentId?: string | number
  eventId?: string | number
  runId?: string | number
  messageId?: string | number
  campaignId?: string | number
  jobId?: string | number
  integrationId?: string | number
  enricher?: string
  sessionId?: string | number
  kind?: string
  code?: string
  reason?: string
  method?: string
  route?: string
  status?: number
  durationMs?: number
  count?: number
  attempt?: number
  address?: string
  /** A one-time link, which only the log of a server that nobody else reaches shows (docs/dashboard.md#links). */
  link?: string
  engine?: string
  signal?: string
  setting?: string
  /** Only its name, message, stack and causes are kept. */
  error?: unknown
}

const FIELDS = [
  'correlationId',
  'environmentId',
  'eventId',
  'runId',
  'messageId',
  'campaignId',
  'jobId',
  'integrationId',
  'enricher',
  'sessionId',
  'kind',
  'code',
  'reason',
  'method',
  'route',
  'status',
  'durationMs',
  'count',
  'attempt',
  'address',
  'link',
  'engine',
  'signal',
  'setting',
] as const satisfies readonly Exclude<keyof LogFields, 'error'>[]

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

/** Logs an error, or a warning where the store is out of reach: that is no defect, and `/readyz` reports it. */
export function logFault(log: Log, message: string, fields: LogFields & { error: unknown }): void {
  if (isUnavailable(fields.error)) log.warn(message, fields)
  else log.error(message, fields)
}

const ADDRESS: [RegExp, string] = [
  // Excludes the `@` of a package scope, which follows a slash. Begins at the first character alone, for linear time.
  /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._%+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu,
  '[scrubbed address]',
]
const KEYS: [RegExp, string][] = [
  [/\bnc_(sdk|auth|dash|chal|device)_[A-Za-z0-9_-]+/g, 'nc_$1_[scrubbed]'],
  [/\bwhsec_[A-Za-z0-9+/=_-]+/g, 'whsec_[scrubbed]'],
  [/\beyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*)?/g, '[scrubbed token]'],
  [/\bv2\.\d+\.[0-9a-f]{16,}/g, '[scrubbed token]'],
  [/\b(Bearer|Basic)\s+[^\s"\\,]+/gi, '$1 [scrubbed]'],
  // User and password in an address.
  [/(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/"@]*@/gi, '$1[scrubbed]@'],
  // A backend token, and a master key.
  [/\b[0-9a-f]{64}\b/gi, '[scrubbed token]'],
  [/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=/g, '[scrubbed key]'],
]

/** Removes keys, tokens, passwords and e-mail addresses from a text: the last defence against a mistake of the caller. */
export function scrub(text: string): string {
  return scrubKeys(text).replace(...ADDRESS)
}

/** Does the same, but keeps e-mail addresses: for texts that show customers their own data. */
export function scrubKeys(text: string): string {
  return KEYS.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), text)
}

/**
 * @param write Receives whole lines with their line feed. Default: standard output.
 * @param onError Is called for each error, also where the level leaves its line out.
 */
export function createLog(
  level: LogLevel,
  write: (line: string) => void = createLogOutput(),
  onError: () => void = () => {},
): Log {
  const inner = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => write(scrub(line)) },
  )
  return {
    debug: (message, fields) => inner.debug(allowed(fields), message),
    info: (message, fields) => inner.info(allowed(fields), message),
    warn: (message, fields) => inner.warn(allowed(fields), message),
    error(message, fields) {
      onError()
      inner.error(allowed(fields), message)
    },
  }
}

function allowed(fields: LogFields = {}): Record<string, unknown> {
  const kept: Record<string, unknown> = {}
  for (const name of FIELDS) if (fields[name] !== undefined) kept[name] = fields[name]
  if (fields.error !== undefined) kept.error = describeError(fields.error)
  return kept
}

const MAX_CAUSES = 4

/** Keeps name, message and stack of an error and its causes; other properties may contain rows or bodies. */
function describeError(error: unknown): Record<string, unknown> {
  const causes: string[] = []
  let at: unknown = error instanceof Error ? error.cause : undefined
  for (let depth = 0; depth < MAX_CAUSES && at instanceof Error; depth++) {
    causes.push(`${at.name}: ${withoutValues(at.message)}`)
    at = at.cause
  }
  if (!(error instanceof Error)) return { message: withoutValues(String(error)) }
  const described = { name: error.name, message: withoutValues(error.message), stack: stackOf(error) }
  return causes.length > 0 ? { ...described, causes } : described
}

/** Removes quoted text: parsers and databases quote the value that they refused, which may be private. */
function withoutValues(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/gs, '"…"')
}

/** Keeps the frames of a stack only: the message at its beginning is logged separately. */
function stackOf({ stack = '' }: Error): string {
  return stack.slice(Math.max(0, stack.search(/^\s+at /m)))
}
