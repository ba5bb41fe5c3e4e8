// Mounts a <notification-center> for one user, sets its credential from the workbench's choice, and reports its events.

import type { Choice } from './backend.ts'
import { backend, explain, type PageConfig } from './backend.ts'
import { h } from './dom.ts'
import { addEntry } from './journal.ts'

/** The members of the element that the page uses. */
export interface BellElement extends HTMLElement {
  apiKey: string
  userId: string
  authType: string
  tokenProvider: ((ask: { reason: string }) => Promise<{ userId: string; token: string }>) | null
  readonly state: string
  readonly unread: number
  readonly unopened: number
  hide(): void
  refresh(): Promise<void>
  signOut(): Promise<void>
}

export interface Bell {
  element: BellElement
  /** Signs in again with that choice. */
  use(choice: Choice): void
}

interface BellReport {
  /** Called after any event of the element. */
  changed(bell: BellElement): void
  refused(problem: { code: string; message: string; correlationId: string | null }): void
}

const WATCHED = [
  'nc-ready',
  'nc-counts',
  'nc-arrive',
  'nc-show',
  'nc-hide',
  'nc-open-message',
  'nc-follow-link',
  'nc-action',
  'nc-error',
]

/** Waits for the widget's script and mounts the element; the host is empty until then. */
export async function mountBell(host: Element, config: PageConfig, label: string, report: BellReport): Promise<Bell> {
  await customElements.whenDefined('notification-center')
  const element = document.createElement('notification-center') as BellElement
  element.addEventListener('nc-error', (event) => {
    const { code, correlationId } = event as Event & { code: string; correlationId?: string }
    report.refused({ code, message: readable(code), correlationId: correlationId ?? null })
  })
  for (const name of WATCHED) {
    element.addEventListener(name, (event) => {
      addEntry({
        lane: 'element',
        title: name,
        note: `${label} · ${element.state}`,
        detail: describe(event),
        tone: name === 'nc-error' ? 'bad' : 'plain',
      })
      report.changed(element)
    })
  }
  function use(choice: Choice): void {
    element.apiKey = config.environments[choice.environment].apiKey
    element.authType = choice.strategy === 'backendTokenV2' ? 'backendToken' : choice.strategy
    element.userId = choice.userId
    element.tokenProvider = async ({ reason }) => {
      const answer = await backend.token(choice)
      addEntry({
        lane: 'element',
        title: `token asked for: ${reason}`,
        note: `${label} · ${choice.strategy}`,
        tone: 'plain',
      })
      if (!answer.ok) throw new Error(explain(answer as never))
      return answer.body
    }
    if (!element.isConnected) host.append(element)
  }
  return { element, use }
}

/** Draws initials on a coloured disc. */
export function avatar(name: string, className = ''): HTMLElement {
  const letters = name
    .split(/\s+/)
    .map((word) => word.charAt(0))
    .slice(0, 2)
    .join('')
    .toUpperCase()
  const hue = [...name].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0) % 5
  return h('span', { class: `avatar avatar-${hue} ${className}`, 'aria-hidden': 'true' }, letters)
}

function describe(event: Event): string | undefined {
  const own = Object.entries(event).filter(([key]) => key !== 'isTrusted')
  const named = ['unread', 'unopened', 'code', 'correlationId', 'link', 'message', 'messages', 'action']
  const read = named.flatMap((key) => {
    const value: unknown = Reflect.get(event, key)
    return value === undefined ? [] : [[key, value] as const]
  })
  const all = Object.fromEntries([...own, ...read])
  return Object.keys(all).length === 0 ? undefined : JSON.stringify(all, null, 2)
}

const MEANINGS: Record<string, string> = {
  'auth/no-public-key-registered':
    'This environment has no identity provider and no public key registered, so it cannot check such a token.',
  'auth/invalid-token-signature':
    'The edge does not accept this token: wrong signature, expired, or made for another environment.',
  'auth/invalid-api-key': 'The edge does not know this Front API Key.',
  'auth/invalid-inputs': 'Something is missing from the sign-in, for example the user id.',
  'auth/invalid-session': 'The session has ended.',
  'request/rate-limited': 'Too many requests; the widget waits.',
  'service/unavailable': 'The service is out of reach at the moment.',
}

function readable(code: string): string {
  return MEANINGS[code] ?? 'The edge refused.'
}
