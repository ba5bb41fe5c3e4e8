// Holds the workbench's choices with listeners, and stores the choices between visits (never a credential).

import type { Choice, PageConfig, Person, Strategy } from './backend.ts'

export interface Value<T> {
  get(): T
  set(value: T): void
  /** Calls at once and after each change. */
  watch(listener: (value: T) => void): void
}

export function createValue<T>(initial: T): Value<T> {
  let current = initial
  const listeners = new Set<(value: T) => void>()
  return {
    get: () => current,
    set(value) {
      current = value
      for (const listener of listeners) listener(value)
    },
    watch(listener) {
      listeners.add(listener)
      listener(current)
    },
  }
}

/** The state and helpers that all parts of the page share. */
export interface Page {
  config: PageConfig
  choice: Value<Choice>
  /** The user of the second bell; null while there is none. */
  second: Value<string | null>
  personOf(userId: string): Person
}

const KEPT_AS = 'loam-choice'

export function keepChoice(choice: Choice): void {
  localStorage.setItem(KEPT_AS, JSON.stringify(choice))
}

/** Returns the stored choice if it is still valid, else the first user in dev. */
export function recallChoice(config: PageConfig): Choice {
  const first: Choice = { environment: 'dev', strategy: 'backendToken', userId: config.people[0]?.userId ?? 'u_42' }
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT_AS) ?? '{}') as Partial<Choice>
    return {
      environment: kept.environment === 'prod' ? 'prod' : 'dev',
      strategy: STRATEGY_NAMES.has(kept.strategy as Strategy) ? (kept.strategy as Strategy) : first.strategy,
      userId: typeof kept.userId === 'string' && kept.userId !== '' ? kept.userId : first.userId,
    }
  } catch {
    return first
  }
}

export const STRATEGY_NAMES: ReadonlyMap<Strategy, { label: string; hint: string }> = new Map([
  ['backendToken', { label: 'Backend token', hint: 'HMAC-SHA256 of the user id, made by the shop’s backend.' }],
  [
    'backendTokenV2',
    { label: 'Backend token v2', hint: 'The same with an end: ten minutes, then the widget asks for a new one.' },
  ],
  [
    'jwt',
    { label: 'Identity provider', hint: 'A JWT of the demo’s identity provider, checked against /demo/jwks.json.' },
  ],
  ['signedJwt', { label: 'Signed JWT', hint: 'A JWT that the backend signs with its own key, registered in dev.' }],
])
