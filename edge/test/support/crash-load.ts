// Runs the load of crash tests: single events, batches, fan-outs and clicks.
// Each request enters the ledger before it is sent. A request without an answer is retried under its idempotency key.

import { setTimeout } from 'node:timers/promises'
import type { ExtraEvent } from './given-waits.ts'
import type { Entry } from './ledger.ts'
import type { RawClient } from './raw-client.ts'

export interface CrashLoad {
  ledger: Map<number, Entry>
  /** Ids of messages whose click was acknowledged. */
  clicked: Set<string>
  /** Unexpected results of `run` and their counts: statuses and error codes such as `503`, `ECONNRESET`. */
  failures: Map<string, number>
  /** Number of requests that `run` has sent. */
  sent(): number
  /**
   * Runs until `stop`; while no server answers, entries become `unknown`. Each worker starts a request after its last
   * one has ended, and at the earliest `everyMs` after that one's start (default 0).
   */
  run(url: string, stop: () => boolean, everyMs?: () => number): Promise<void>
  /** Retries all unknown entries and unanswered clicks. @returns the number still open */
  settle(url: string): Promise<number>
  /** Saves the ledger, whose entries must be settled. @returns a function that restores it, for a copy of the store */
  saveLedger(): () => void
}

export interface CrashLoadDeps {
  client: RawClient
  sdkSecretKey: string
  random: () => number
  userIds: string[]
  /** Messages that a user may click, by session token. */
  clickable: () => { token: string; messageId: string } | undefined
  /** Returns an event to send instead of the load's own, or undefined; called before each request. */
  extraEvent?: (ledger: ReadonlyMap<number, Entry>) => ExtraEvent | undefined
  /** Parallel requests; default 12. */
  workers?: number
}

const WORKERS = 12
const BATCH = 20
/** By count, so that a short load has fan-outs as well. */
const FAN_OUT_EVERY = 30

/** Creates the load. It sends nothing before `run`. */
export function createCrashLoad(deps: CrashLoadDeps): CrashLoad {
  const ledger = new Map<number, Entry>()
  const clicked = new Set<string>()
  const unansweredClicks = new Map<string, string>()
  const failures = new Map<string, number>()
  const { send, sendBatch, click } = createSender(deps, clicked, unansweredClicks, (what) => {
    failures.set(what, (failures.get(what) ?? 0) + 1)
  })
  const pick = (below: number) => Math.floor(deps.random() * below)
  let sent = 0

  function addEntry(userIds: string[], about: Pick<Entry, 'name' | 'of'> = {}): Entry {
    const entry: Entry = { ...about, number: ledger.size + 1, userIds, state: 'unknown', eventId: null }
    ledger.set(entry.number, entry)
    return entry
  }

  const addSingleEntry = () => addEntry([deps.userIds[pick(deps.userIds.length)] as string])

  async function sendNext(url: string): Promise<void> {
    sent += 1
    const extraEvent = deps.extraEvent?.(ledger)
    if (extraEvent !== undefined) {
      const { userId, ...about } = extraEvent
      return send(url, addEntry([userId], about))
    }
    const share = deps.random()
    const next = share < 0.2 ? deps.clickable() : undefined
    if (next !== undefined) return click(url, next.token, next.messageId)
    if (share < 0.4) return sendBatch(url, Array.from({ length: BATCH }, addSingleEntry))
    // More than 50 users: a job fans the event out, and a kill may interrupt it anywhere.
    return send(url, sent % FAN_OUT_EVERY === 0 ? addEntry(deps.userIds) : addSingleEntry())
  }

  return {
    ledger,
    clicked,
    failures,
    sent: () => sent,
    async run(url, stop, everyMs = () => 0) {
      const work = async () => {
        while (!stop()) {
          const ms = everyMs()
          await Promise.all([sendNext(url), ms > 0 && setTimeout(ms)])
        }
      }
      await Promise.all(Array.from({ length: deps.workers ?? WORKERS }, work))
    },
    async settle(url) {
      const unknown = () => [...ledger.values()].filter(({ state }) => state === 'unknown')
      const remaining = [
        ...unknown().map((entry) => () => send(url, entry)),
        ...[...unansweredClicks].map(
          ([messageId, token]) =>
            () =>
              click(url, token, messageId),
        ),
      ]
      const work = async () => {
        for (let next = remaining.shift(); next !== undefined; next = remaining.shift()) await next()
      }
      await Promise.all(Array.from({ length: deps.workers ?? WORKERS }, work))
      return unknown().length + unansweredClicks.size
    },
    saveLedger() {
      const entries = structuredClone([...ledger])
      const clicks = [...clicked]
      return () => {
        ledger.clear()
        for (const [number, entry] of structuredClone(entries)) ledger.set(number, entry)
        clicked.clear()
        for (const id of clicks) clicked.add(id)
      }
    },
  }
}

type OnFailure = (what: string) => void

function createSender(
  deps: CrashLoadDeps,
  clicked: Set<string>,
  unansweredClicks: Map<string, string>,
  onFailure: OnFailure,
) {
  /** Returns the answer, or undefined when the result is unknown. @throws for an answer 500, which is a defect */
  async function post(url: string, path: string, key: string, body: object) {
    let answer: { status: number; body: unknown }
    try {
      answer = await deps.client.ask(url, 'POST', path, { key, body })
    } catch (error) {
      onFailure((error as NodeJS.ErrnoException).code ?? String(error))
      return undefined
    }
    if (answer.status === 500) throw new Error(`${path} answered ${JSON.stringify(answer.body)}`)
    if (answer.status >= 300) onFailure(String(answer.status))
    // The store or the server became unavailable: the request may have been done, which the retry shows.
    return answer.status > 500 ? undefined : answer
  }

  const bodyOf = ({ number, userIds, name = 'crash.tracked', of }: Entry) => ({
    name,
    ...(userIds.length === 1 ? { userId: userIds[0] } : { userIds }),
    properties: of === undefined ? { number } : { number, of },
    idempotencyKey: `crash-${number}`,
  })

  function recordResult(entry: Entry, { eventId, code }: { eventId?: string; code?: string }): void {
    if (code?.startsWith('service/')) {
      onFailure(code)
      return
    }
    // A repeat must return the event id of the first answer.
    if (entry.eventId !== null && eventId !== entry.eventId) throw new Error(`event ${entry.number} has two ids`)
    entry.state = eventId === undefined ? 'fail' : 'ok'
    entry.eventId = eventId ?? null
  }

  const { sdkSecretKey } = deps
  return {
    async send(url: string, entry: Entry): Promise<void> {
      const answer = await post(url, '/v1/events/track', sdkSecretKey, { sdkSecretKey, ...bodyOf(entry) })
      if (answer !== undefined) recordResult(entry, answer.body as { eventId?: string })
    },
    async sendBatch(url: string, entries: Entry[]): Promise<void> {
      const body = { sdkSecretKey, events: entries.map(bodyOf) }
      const answer = await post(url, '/v1/events/track/batch', sdkSecretKey, body)
      if (answer === undefined) return
      const { results = [] } = answer.body as { results?: { eventId?: string; code?: string }[] }
      entries.forEach((entry, at) => {
        recordResult(entry, results[at] ?? {})
      })
    },
    async click(url: string, token: string, messageId: string): Promise<void> {
      unansweredClicks.set(messageId, token)
      const answer = await post(url, '/v1/notification/event/register', token, { messageId, eventType: 'clicked' })
      if (answer === undefined) return
      unansweredClicks.delete(messageId)
      if (answer.status === 200) clicked.add(messageId)
    },
  }
}
