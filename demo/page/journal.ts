// Records requests, frames, delivery events and the element's events in a bounded list for the Watch tab.

import { describeFrame } from './frames.ts'
import { type Exchange, network } from './network.ts'

export type Lane = 'tracked' | 'request' | 'frame' | 'delivery' | 'element'

export interface Entry {
  id: number
  at: number
  lane: Lane
  title: string
  note: string
  tone: 'plain' | 'good' | 'bad'
  detail: string | undefined
}

export const MAX_ENTRIES = 400
const entries: Entry[] = []
const listeners = new Set<(entry: Entry) => void>()
let lastId = 0

export function addEntry(entry: Omit<Partial<Entry>, 'id'> & Pick<Entry, 'lane' | 'title'>): void {
  lastId += 1
  const whole: Entry = { at: Date.now(), note: '', tone: 'plain', detail: undefined, ...entry, id: lastId }
  entries.push(whole)
  if (entries.length > MAX_ENTRIES) entries.shift()
  for (const listener of listeners) listener(whole)
}

export function watchEntries(listener: (entry: Entry) => void): readonly Entry[] {
  listeners.add(listener)
  return entries
}

export function clearEntries(): void {
  entries.length = 0
}

/** Records the network, including the exchanges before this call. */
export function startJournal(): void {
  network.listen((exchange) => {
    if (exchange.kind === 'request') addRequest(exchange)
    else addFrame(exchange)
  })
}

function addRequest({ method, path, status = 0, durationMs, sent, received, at }: Exchange): void {
  // The widget's modules and other files are not calls of the API.
  if (!path.startsWith('/v1/')) return
  const failed = status === 0
  addEntry({
    lane: 'request',
    at,
    title: `${method} ${path}`,
    note: failed ? 'failed: no connection' : `${status} · ${durationMs} ms`,
    tone: failed || status >= 400 ? 'bad' : 'plain',
    detail:
      [sent && `→ ${pretty(sent)}`, received && `← ${pretty(received)}`].filter(Boolean).join('\n\n') || undefined,
  })
  if (path === '/v1/notification/event/register' && status === 200) addDeliveryEvents(sent, received, at)
}

interface Registered {
  messageId: string
  eventType?: string
  recorded?: boolean
  code?: string
}

function addDeliveryEvents(sent: string | undefined, received: string | undefined, at: number): void {
  const results = (parse(received) as { results?: Registered[] } | undefined)?.results ?? []
  const asked = parse(sent) as { events?: Registered[] } & Registered
  for (const [index, result] of results.entries()) {
    const eventType = result.eventType ?? asked?.events?.[index]?.eventType ?? asked?.eventType ?? 'unknown'
    const note = result.code ?? (result.recorded ? 'recorded' : 'known already')
    addEntry({
      lane: 'delivery',
      at,
      title: `${eventType} · ${result.messageId}`,
      note,
      tone: result.code ? 'bad' : 'good',
    })
  }
}

function addFrame({ kind, path, sent, received, at }: Exchange): void {
  const text = sent ?? received ?? ''
  if (kind === 'socket') {
    addEntry({
      lane: 'frame',
      at,
      title: `socket ${text}`,
      note: path,
      tone: text.startsWith('closed') ? 'bad' : 'good',
    })
    return
  }
  const frame = describeFrame(text)
  if (frame === undefined) return
  addEntry({
    lane: 'frame',
    at,
    title: `${kind === 'frame-out' ? '↑' : '↓'} ${frame.title}`,
    note: frame.note,
    detail: frame.detail,
  })
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function pretty(text: string): string {
  const parsed = parse(text)
  return parsed === undefined ? text : JSON.stringify(parsed, null, 2)
}
