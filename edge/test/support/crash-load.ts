// The load of the crash test: events alone, in batches and for many users, and what users do with the messages. Each
// request is entered in the ledger before it goes out; what got no answer is retried under its idempotency key.

import type { Entry } from './ledger.ts'

export interface CrashLoad {
  ledger: Map<number, Entry>
  /** Ids of messages whose click was acknowledged. */
  clicked: Set<string>
  /** Runs until `stop` says so; a server that dies only makes entries unknown. */
  run(url: string, stop: () => boolean): Promise<void>
  /** Retries all unknown entries and unanswered clicks; answers how many are left. */
  settle(url: string): Promise<number>
}

export interface CrashLoadDeps {
  sdkSecretKey: string
  random: () => number
  userIds: string[]
  /** Messages that a user may click, by session token. */
  clickable: () => { token: string; messageId: string } | undefined
}

const WORKERS = 12
const BATCH = 20

export function createCrashLoad(deps: CrashLoadDeps): CrashLoad {
  const ledger = new Map<number, Entry>()
  const clicked = new Set<string>()
  const clicking = new Map<string, string>()
  const { send, sendBatch, click } = createSender(deps, clicked, clicking)
  const pick = (below: number) => Math.floor(deps.random() * below)

  function enter(userIds: string[]): Entry {
    const entry: Entry = { number: ledger.size + 1, userIds, state: 'unknown', eventId: null }
    ledger.set(entry.number, entry)
    return entry
  }

  const one = () => enter([deps.userIds[pick(deps.userIds.length)] as string])

  async function step(url: string): Promise<void> {
    const kind = deps.random()
    const next = kind < 0.2 ? deps.clickable() : undefined
    if (next !== undefined) return click(url, next.token, next.messageId)
    if (kind < 0.4) return sendBatch(url, Array.from({ length: BATCH }, one))
    // All users are more than 50: fanned out by a job, which a kill may cut anywhere.
    return send(url, kind < 0.42 ? enter(deps.userIds) : one())
  }

  return {
    ledger,
    clicked,
    async run(url, stop) {
      const work = async () => {
        while (!stop()) await step(url)
      }
      await Promise.all(Array.from({ length: WORKERS }, work))
    },
    async settle(url) {
      const unknown = () => [...ledger.values()].filter(({ state }) => state === 'unknown')
      for (const entry of unknown()) await send(url, entry)
      for (const [messageId, token] of [...clicking]) await click(url, token, messageId)
      return unknown().length + clicking.size
    },
  }
}

function createSender(deps: CrashLoadDeps, clicked: Set<string>, clicking: Map<string, string>) {
  /** The answer, or undefined when none came. A 500 would be a defect of its own. */
  async function post(url: string, path: string, key: string, body: object) {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    let answer: { status: number; body: unknown }
    try {
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      answer = { status: response.status, body: await response.json() }
    } catch {
      return undefined
    }
    if (answer.status === 500) throw new Error(`${path} answered ${JSON.stringify(answer.body)}`)
    return answer
  }

  const bodyOf = ({ number, userIds }: Entry) => ({
    name: 'crash.tracked',
    ...(userIds.length === 1 ? { userId: userIds[0] } : { userIds }),
    properties: { number },
    idempotencyKey: `crash-${number}`,
  })

  function enterResult(entry: Entry, eventId: string | undefined): void {
    // A repeat must name the very event that the first answer named.
    if (entry.eventId !== null && eventId !== entry.eventId) throw new Error(`event ${entry.number} has two ids`)
    entry.state = eventId === undefined ? 'fail' : 'ok'
    entry.eventId = eventId ?? null
  }

  const { sdkSecretKey } = deps
  return {
    async send(url: string, entry: Entry): Promise<void> {
      const answer = await post(url, '/v1/events/track', sdkSecretKey, { sdkSecretKey, ...bodyOf(entry) })
      if (answer === undefined) return
      enterResult(entry, (answer.body as { eventId?: string }).eventId)
    },
    async sendBatch(url: string, entries: Entry[]): Promise<void> {
      const body = { sdkSecretKey, events: entries.map(bodyOf) }
      const answer = await post(url, '/v1/events/track/batch', sdkSecretKey, body)
      if (answer === undefined) return
      const { results = [] } = answer.body as { results?: { eventId?: string }[] }
      entries.forEach((entry, at) => {
        enterResult(entry, results[at]?.eventId)
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
