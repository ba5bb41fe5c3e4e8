// Runs one case of the vectors or of the live suite: the call, its requests and pauses, its result or error.

import { inspect } from 'node:util'
import { expect } from 'vitest'
import { type EventToTrack, type NotificationClient, NotificationRequestError, type TrackOptions } from '../index.ts'

export interface ExpectedError {
  kind: string
  status?: number
  code?: string | null
  messageHolds?: string
  detailPaths?: string[]
  [field: string]: unknown
}

/** One operation with its expectation (`contract/vectors/retry-scripts.json`). */
export interface Operation {
  call: string
  event?: unknown
  events?: unknown[]
  options?: TrackOptions
  expect: { calls?: number; count?: number; result?: Record<string, unknown>; error?: ExpectedError }
}

export interface Expected {
  calls: number
  waitsMs: number[]
  sent?: Record<string, unknown>
  headers?: Record<string, string>
}

interface Recorded {
  method: string
  path: string
  headers: Record<string, string>
  body: string
  startedAtMs: number
  endedAtMs: number
}

const PATHS: Record<string, string> = { track: '/v1/events/track', trackBatch: '/v1/events/track/batch' }
/** Two clocks of one process differ by less. */
const CLOCK_MS = 2

/** Gives the answers to the server of scripts. */
export async function givenScript(scriptsUrl: string, answers: unknown): Promise<{ id: string; url: string }> {
  const response = await fetch(`${scriptsUrl}/scripts`, { method: 'POST', body: JSON.stringify({ answers }) })
  return (await response.json()) as { id: string; url: string }
}

export async function readRequests(scriptsUrl: string, id: string): Promise<Recorded[]> {
  const response = await fetch(`${scriptsUrl}/scripts/${id}`)
  return ((await response.json()) as { requests: Recorded[] }).requests
}

/** Calls the operation, and compares what it returns or throws. @returns the result, if any */
export async function runOperation(client: NotificationClient, operation: Operation): Promise<unknown> {
  const { call, event, events = [], options, expect: expected } = operation
  const tracked =
    call === 'track'
      ? client.track(event as EventToTrack, options)
      : client.trackBatch(events as EventToTrack[], options)
  const ended = await tracked.then(
    (result) => ({ result: { ...result }, error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  )
  if (expected.error !== undefined) {
    expect(ended.result).toBeUndefined()
    checkError(ended.error, expected.error)
    return undefined
  }
  expect(ended.error).toBeUndefined()
  if (expected.result !== undefined) expect(ended.result).toMatchObject(withPatterns(expected.result))
  if (expected.count !== undefined) expect(Object(ended.result).results).toHaveLength(expected.count)
  return ended.result
}

function withPatterns(value: unknown): object {
  return JSON.parse(JSON.stringify(value), (_, one) => (one === '<evt>' ? expect.stringMatching(/^evt_/) : one))
}

function checkError(error: unknown, { kind, messageHolds, detailPaths, code, ...fields }: ExpectedError): void {
  if (kind !== 'refusal') {
    expect(error).not.toBeInstanceOf(NotificationRequestError)
    expect(error).toMatchObject({ name: kind === 'timeout' ? 'TimeoutError' : 'TypeError' })
    return
  }
  expect(error).toBeInstanceOf(NotificationRequestError)
  expect(error).toMatchObject(fields)
  const refusal = error as NotificationRequestError
  expect(refusal.code ?? null).toBe(code ?? null)
  if (messageHolds !== undefined) expect(refusal.message).toContain(messageHolds)
  if (detailPaths !== undefined) expect(refusal.details?.map((one) => Object(one).path)).toEqual(detailPaths)
}

/** Compares the recorded requests of a script with the expected ones. */
export function checkRequests(recorded: Recorded[], call: string, sdkSecretKey: string, expected: Expected): void {
  expect(recorded).toHaveLength(expected.calls)
  expect(new Set(recorded.map(({ body }) => body)).size).toBeLessThanOrEqual(1)
  for (const { method, path, headers, body } of recorded) {
    expect({ method, path }).toEqual({ method: 'POST', path: PATHS[call] })
    const always = { authorization: `Bearer ${sdkSecretKey}`, 'content-type': 'application/json' }
    expect(headers).toMatchObject({ ...always, ...expected.headers })
    const { sdkSecretKey: sentKey, ...sent } = JSON.parse(body) as Record<string, unknown>
    expect(sentKey).toBe(sdkSecretKey)
    if (expected.sent !== undefined) expect(hideKeys(sent, expected.sent)).toEqual(expected.sent)
  }
  const pauses = recorded.slice(1).map(({ startedAtMs }, at) => startedAtMs - (recorded[at]?.endedAtMs ?? Number.NaN))
  expect(pauses).toHaveLength(expected.waitsMs.length)
  for (const [at, pause] of pauses.entries()) {
    expect(pause + CLOCK_MS).toBeGreaterThanOrEqual(expected.waitsMs[at] as number)
  }
}

/** Replaces generated keys by `<generated>`, and checks that they differ. */
function hideKeys(sent: Record<string, unknown>, expected: Record<string, unknown>): unknown {
  const pairs = Array.isArray(expected.events)
    ? expected.events.map((one, at) => [(sent.events as object[])[at], one])
    : [[sent, expected]]
  const keys: unknown[] = []
  for (const [given, wanted] of pairs) {
    if (Object(wanted).idempotencyKey !== '<generated>') continue
    const key: unknown = Object(given).idempotencyKey
    expect(key).toMatch(/^.{1,256}$/)
    keys.push(key)
    Object.assign(Object(given), { idempotencyKey: '<generated>' })
  }
  expect(new Set(keys).size).toBe(keys.length)
  return sent
}

/** Checks that neither the value nor anything reachable from it shows one of the secrets. */
export function checkNoSecret(value: unknown, secrets: Record<string, string>): void {
  const looks = [inspect(value, { showHidden: true, depth: 20 }), String(value), JSON.stringify(value) ?? '']
  for (const look of looks) for (const secret of Object.values(secrets)) expect(look).not.toContain(secret)
}
