// Sets up a real element and simulates actions of a person, the network or the server on it.

import { backend, explain } from '../backend.ts'
import { network } from '../network.ts'

/** The members of the element that the gallery uses. */
export interface Center extends HTMLElement {
  readonly state: string
  show(): void
  signOut(): Promise<void>
  renderRow: ((message: { title: string }) => Node) | undefined
}

export interface Stage {
  center: Center
  /** Opens the panel and waits for its rows. */
  listed(): Promise<void>
  /** Presses keys, one after the other, where the focus is. */
  press(...keys: string[]): void
  click(selector: string): Promise<void>
  /** Waits for an element of the shadow root that contains this text. */
  sees(selector: string, words?: string): Promise<HTMLElement>
  /** Sends these events to the user. */
  send(events: readonly Record<string, unknown>[]): Promise<void>
  /** Answers the element's requests to this path with a failure. */
  refuse(path: string, status: number, method?: string): void
  /** Changes the dates in the server's answers, so that a new list covers several days. */
  age(daysAgo: readonly number[]): void
  cut(): void
}

const DAY_MS = 86_400_000

export function createStage(center: Center, userId: string): Stage {
  const sees = (selector: string, words = ''): Promise<HTMLElement> =>
    until(() => {
      const found = center.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []
      return [...found].find((one) => one.textContent?.includes(words))
    })
  return {
    center,
    sees,
    async listed() {
      center.show()
      await sees('article.row')
    },
    press(...keys) {
      for (const key of keys) {
        const target = center.shadowRoot?.activeElement ?? center.shadowRoot?.querySelector('[part~=panel]')
        target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }))
      }
    },
    click: async (selector) => (await sees(selector)).click(),
    send: (events) => send(userId, events),
    refuse: (path, status, method = 'GET') =>
      answerInstead(async (url, init, ask) => {
        const isMeant = url.includes(path) && (init?.method ?? 'GET') === method
        const problem = { code: 'service/unavailable', message: 'The gallery answers so.', correlationId: 'gallery' }
        return isMeant ? Response.json(problem, { status }) : ask()
      }),
    age: (daysAgo) =>
      answerInstead(async (url, _, ask) => {
        const answer = await ask()
        if (!url.includes('/v1/inbox/messages') || !answer.ok) return answer
        const page = (await answer.json()) as { data: { createdAt: string }[] }
        page.data.forEach((message, index) => {
          const back = (daysAgo[index] ?? daysAgo.at(-1) ?? 0) * DAY_MS
          message.createdAt = new Date(Date.parse(message.createdAt) - back).toISOString()
        })
        return Response.json(page, { status: answer.status, headers: { date: answer.headers.get('date') ?? '' } })
      }),
    cut: () => network.cut(),
  }
}

type Instead = (url: string, init: RequestInit | undefined, ask: () => Promise<Response>) => Promise<Response>

function answerInstead(instead: Instead): void {
  const before = window.fetch
  window.fetch = (input, init) =>
    instead(String(input instanceof Request ? input.url : input), init, () => before(input, init))
}

/** Polls every 20 ms. @throws after 20 s without a result */
async function until<T>(find: () => T | undefined): Promise<T> {
  const end = performance.now() + 20_000
  for (;;) {
    const found = find()
    if (found !== undefined) return found
    if (performance.now() > end) throw new Error('This state did not come about.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Sends events through the shop's backend. @throws Error with the backend's refusal */
export async function send(userId: string, events: readonly Record<string, unknown>[]): Promise<void> {
  if (events.length === 0) return
  const answer = await backend.trackBatch(
    'dev',
    events.map((one) => ({ ...one, userId })),
  )
  if (!answer.ok) throw new Error(explain(answer as never))
}
