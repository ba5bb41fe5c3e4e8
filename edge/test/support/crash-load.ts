// Runs the load of crash tests: single events, batches, fan-outs and clicks.
// Each request enters the ledger before it is sent. A request without an answer is retried under its idempotency key.

import { setTimeout } from 'node:timers/promises'
import type { AnotherEvent } from './given-waits.ts'
import type { Entry } from './ledger.ts'
import type { RawClient } from './raw-client.ts'

export interface CrashLoad {
  ledger: Map<number, Entry>
  /** Ids of messages whose click was acknowledged. */
  clicked: Set<string>
  /** Unexpected results of `run` and their counts: statuses and error codes such as `503`, `ECONNRESET`. */
  troubles: Map<string, number>
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
  mark(): () => void
}

export interface CrashLoadDeps {
  client: RawClient
  sdkSecretKey: string
  random: () => number
  userIds: string[]
  /** Messages that a user may click, by session token. */
  clickable: () => { token: string; messageId: string } | undefined
  /** Returns an event to send instead of the load's own, or undefined; called before each request. */
  another?: (ledger: ReadonlyMap<number, Entry>) => AnotherEvent | undefined
  /** Parallel requests; default 12. */
  workers?: number
}

const WORKERS = 12
const BATCH = 20
/** By count, so that a short load has fan-outs as well. */
const FAN_OUT_EVERY = 30

export function createCrashLoad(deps: CrashLoadDeps): CrashLoad {
  const ledger = new Map<number, Entry>()
  const clicked = new Set<string>()
  const clicking = new Map<string, string>()
  const troubles = new Map<string, number>()
  const { send, sendBatch, click } = createSender(deps, clicked, clicking, (what) => {
    troubles.set(what, (troubles.get(what) ?? 0) + 1)
  })
  const pick = (below: number) => Math.floor(deps.random() * below)
  let sent = 0

  function enter(userIds: string[], about: Pick<Entry, 'name' | 'of'> = {}): Entry {
    const entry: Entry = { ...about, number: ledger.size + 1, userIds, state: 'unknown', eventId: null }
    ledger.set(entry.number, entry)
    return entry
  }

  const one = () => enter([deps.userIds[pick(deps.userIds.length)] as string])

  async function step(url: string): Promise<void> {
    sent += 1
    const another = deps.another?.(ledger)
    if (another !== undefined) {
      const { userId, ...about } = another
      return send(url, enter([userId], about))
    }
    const kind = deps.random()
    const next = kind < 0.2 ? deps.clickable() : undefined
    if (next !== undefined) return click(url, next.token, next.messageId)
    if (kind < 0.4) return sendBatch(url, Array.from({ length: BATCH }, one))
    // More than 50 users: a job fans the event out, and a kill may interrupt it anywhere.
    return send(url, sent % FAN_OUT_EVERY === 0 ? enter(deps.userIds) : one())
  }

  return {
    ledger,
    clicked,
    troubles,
    sent: () => sent,
    async run(url, stop, everyMs = () => 0) {
      const work = async () => {
        while (!stop()) {
          const ms = everyMs()
          await Promise.all([step(url), ms > 0 && setTimeout(ms)])
        }
      }
      await Promise.all(Array.from({ length: deps.workers ?? WORKERS }, work))
    },
    async settle(url) {
      const unknown = () => [...ledger.values()].filter(({ state }) => state === 'unknown')
      const left = [
        ...unknown().map((entry) => () => send(url, entry)),
        ...[...clicking].map(
          ([messageId, token]) =>
            () =>
              click(url, token, messageId),
        ),
      ]
      const work = async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) await next()
      }
      await Promise.all(Array.from({ length: deps.workers ?? WORKERS }, work))
      return unknown().length + clicking.size
    },
    mark() {
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

type Tell = (what: string) => void

function createSender(deps: CrashLoadDeps, clicked: Set<string>, clicking: Map<string, string>, tell: Tell) {
  /** Returns the answer, or undefined when the result is unknown. @throws for an answer 500, which is a defect */
  async function post(url: string, path: string, key: string, body: object) {
    let answer: { status: number; body: unknown }
    try {
      answer = await deps.client.ask(url, 'POST', path, { key, body })
    } catch (error) {
      tell((error as NodeJS.ErrnoException).code ?? String(error))
      return undefined
    }
    if (answer.status === 500) throw new Error(`${path} answered ${JSON.stringify(answer.body)}`)
    if (answer.status >= 300) tell(String(answer.status))
    // The store or the server became unavailable: the request may have been done, which the retry shows.
    return answer.status > 500 ? undefined : answer
  }

  const bodyOf = ({ number, userIds, name = 'crash.tracked', of }: Entry) => ({
    name,
    ...(userIds.length === 1 ? { userId: userIds[0] } : { userIds }),
    properties: of === undefined ? { number } : { number, of },
    idempotencyKey: `crash-${number}`,
  })

  function enterResult(entry: Entry, { eventId, code }: { eventId?: string; code?: string }): void {
    if (code?.startsWith('service/')) {
      tell(code)
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
      if (answer !== undefined) enterResult(entry, answer.body as { eventId?: string })
    },
    async sendBatch(url: string, entries: Entry[]): Promise<void> {
      const body = { sdkSecretKey, events: entries.map(bodyOf) }
      const answer = await post(url, '/v1/events/track/batch', sdkSecretKey, body)
      if (answer === undefined) return
      const { results = [] } = answer.body as { results?: { eventId?: string; code?: string }[] }
      entries.forEach((entry, at) => {
        enterResult(entry, results[at] ?? {})
      })
    },
    async click(url: string, token: string, messageId: string): Promise<void> {
      clicking.set(messageId, token)
      const answer = await post(url, '/v1/notification/event/register', token, { messageId, eventType: 'clicked' })
      if (answer === undefined) return
      clicking.delete(messageId)
      if (answer.status === 200) clicked.add(messageId)
    },
  }
}
