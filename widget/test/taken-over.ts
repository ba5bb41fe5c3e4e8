// A service that somebody has taken over: the real one, whose answers and pushes are rewritten on their way, so that every field of every message is a hostile payload. Nothing of it was checked at its creation.

import type { BrowserContext } from 'playwright-core'
import type { InboxChange, InboxMessage, InboxPage, InboxPreferences, MessageAction } from '../../contract/api.ts'

export interface TakenOver {
  /** How many payloads have gone out. */
  sent(): number
}

/** Each message has the next payload, and keeps it. */
export async function takeOver(context: BrowserContext, payloads: readonly string[]): Promise<TakenOver> {
  const numbers = new Map<string, number>()
  const poison = (message: InboxMessage): InboxMessage => {
    const at = numbers.get(message.id) ?? numbers.size
    numbers.set(message.id, at)
    return hostileMessage(message, payloads[at % payloads.length] as string, at)
  }
  const poisonAll = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map(poisonAll)
    if ((value as InboxChange).op === 'add') {
      const added = value as Extract<InboxChange, { op: 'add' }>
      return { ...added, message: poison(added.message) }
    }
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, poisonAll(inner)]))
  }
  await context.route(/\/v1\/inbox\/(messages|changes|preferences)(\?|$)/, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const body = (await response.json()) as Partial<InboxPage & InboxPreferences>
    const json = {
      ...(poisonAll(body) as object),
      ...(body.data && { data: body.data.map(poison) }),
      ...(body.categories && { categories: hostileCategories(payloads) }),
    }
    await route.fulfill({ response, json })
  })
  await context.routeWebSocket(/EIO=4/, (socket) => {
    const service = socket.connectToServer()
    service.onMessage((text) => {
      const [, begin, data] = /^(4[23]\d*)(\[.*)$/s.exec(String(text)) ?? []
      socket.send(data === undefined ? text : begin + JSON.stringify(poisonAll(JSON.parse(data))))
    })
  })
  return { sent: () => numbers.size }
}

function hostileMessage(message: InboxMessage, text: string, at: number): InboxMessage {
  const action = { label: text, link: text, style: text as MessageAction['style'] }
  return {
    ...message,
    title: text,
    body: text,
    bodyFormat: at % 2 === 0 ? 'markdown' : 'text',
    link: text,
    actions: [action, action],
    category: text,
    entity: text,
    icon: text,
    imageUrl: text,
    priority: text as InboxMessage['priority'],
    data: { [text]: text },
  }
}

const hostileCategories = (payloads: readonly string[]): InboxPreferences['categories'] =>
  payloads
    .slice(0, 200)
    .map((text) => ({ key: text, name: text, critical: false, channels: { inbox: true, email: true } }))
