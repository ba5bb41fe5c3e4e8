// What the workbench has chosen, with listeners; and where it is kept between visits (choices only, never a credential).

import type { PageConfig, Person } from './backend.ts'

export type EnvironmentName = 'dev' | 'prod'
export type Strategy = 'backendToken' | 'backendTokenV2' | 'jwt' | 'signedJwt'

export interface Choice {
  environment: EnvironmentName
  strategy: Strategy
  userId: string
}

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

/** Everything that the parts of the page have in common. */
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

/** The kept choice where it still makes sense, else the first user in dev. */
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
