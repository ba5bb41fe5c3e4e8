// Maps addresses to pages and back. The environment and the filters of a page are in the query.

import { BASE, below } from './prefix.ts'

export type PageName =
  | 'first'
  | 'sign-in'
  | 'continue-sign-in'
  | 'forgot-password'
  | 'accept-invitation'
  | 'reset-password'
  | 'set-up'
  | 'onboarding'
  | 'new-organisation'
  | 'home'
  | 'first-steps'
  | 'inbox'
  | 'campaigns'
  | 'new-campaign'
  | 'campaign'
  | 'campaign-editor'
  | 'events'
  | 'event'
  | 'given-up'
  | 'doubts'
  | 'users'
  | 'user'
  | 'topics'
  | 'topic'
  | 'environments'
  | 'environment'
  | 'secrets'
  | 'configs'
  | 'config'
  | 'members'
  | 'account'
  | 'suppressions'
  | 'enrichers'
  | 'enricher'
  | 'texts'
  | 'translation'
  | 'snippet'
  | 'integrations'
  | 'integration'
  | 'sources'
  | 'source'
  | 'audit-log'
  | 'settings'
  | 'not-found'

export interface Route {
  page: PageName
  org?: string
  id?: string
}

/** Pages of an organisation, by their path after `/org/:org/app/`; `:id` stands for one segment. */
const APP: readonly [path: string, page: PageName][] = [
  ['home', 'home'],
  ['first-steps', 'first-steps'],
  ['inbox', 'inbox'],
  ['campaigns', 'campaigns'],
  // Before the id of a campaign.
  ['campaigns/new', 'new-campaign'],
  ['campaigns/:id', 'campaign'],
  ['campaigns/:id/edit', 'campaign-editor'],
  ['events', 'events'],
  ['events/:id', 'event'],
  ['given-up', 'given-up'],
  ['doubts', 'doubts'],
  ['users', 'users'],
  ['users/:id', 'user'],
  ['topics', 'topics'],
  ['topics/:id', 'topic'],
  ['environments', 'environments'],
  ['environments/:id', 'environment'],
  ['environments/:id/secrets', 'secrets'],
  ['notification-configs', 'configs'],
  ['notification-configs/:id', 'config'],
  ['members', 'members'],
  ['account', 'account'],
  ['suppressions', 'suppressions'],
  ['enrichers', 'enrichers'],
  ['enrichers/:id', 'enricher'],
  ['texts', 'texts'],
  ['texts/translations/:id', 'translation'],
  ['texts/snippets/:id', 'snippet'],
  ['email', 'integrations'],
  ['email/:id', 'integration'],
  ['sources', 'sources'],
  ['sources/:id', 'source'],
  ['audit-log', 'audit-log'],
  ['settings', 'settings'],
]

const OUTSIDE: Readonly<Record<string, PageName>> = {
  '/dashboard': 'first',
  '/sign-in': 'sign-in',
  '/dashboard/continue-sign-in': 'continue-sign-in',
  '/dashboard/forgot-password': 'forgot-password',
  '/dashboard/accept-invitation': 'accept-invitation',
  '/dashboard/reset-password': 'reset-password',
  '/dashboard/set-up': 'set-up',
  '/dashboard/onboarding': 'onboarding',
  '/dashboard/new-organisation': 'new-organisation',
}

/** Pages outside of an organisation's environments. The calls of the last two need a session. */
const PUBLIC: readonly PageName[] = [
  'sign-in',
  'continue-sign-in',
  'forgot-password',
  'accept-invitation',
  'reset-password',
  'set-up',
  'onboarding',
  'new-organisation',
]

export const isPublic = ({ page }: Route): boolean => PUBLIC.includes(page)

/** Pages whose `:id` is that of an environment. */
const ABOUT_ENVIRONMENT: readonly PageName[] = ['environment', 'secrets']

export const isAboutEnvironment = ({ page }: Route): boolean => ABOUT_ENVIRONMENT.includes(page)

/** Pages that show an environment. */
const OF_ENVIRONMENT: readonly PageName[] = [
  'first-steps',
  ...([
    'home',
    'inbox',
    'campaigns',
    'new-campaign',
    'campaign',
    'campaign-editor',
    'events',
    'event',
    'doubts',
    'users',
    'user',
  ] as const),
  ...(['topics', 'topic'] as const),
  ...(['suppressions', 'enrichers', 'enricher', 'integrations', 'integration', 'sources', 'source'] as const),
  ...(['texts', 'translation', 'snippet'] as const),
  ...ABOUT_ENVIRONMENT,
]

export const showsEnvironment = ({ page }: Route): boolean => OF_ENVIRONMENT.includes(page)

/** @param pathname As in a location, percent-encoded. */
export function parseRoute(pathname: string, base = BASE): Route {
  const own = below(pathname, base) ?? ''
  const path = own.length > 1 ? own.replace(/\/$/, '') : own
  const outside = OUTSIDE[path]
  if (outside !== undefined) return { page: outside }
  const [, org, rest = ''] = /^\/org\/([^/]+)(?:\/app(?:\/(.*))?)?$/.exec(path) ?? []
  if (org === undefined) return { page: 'not-found' }
  try {
    if (rest === '') return { page: 'first', org: decodeURIComponent(org) }
    return { ...matchApp(rest), org: decodeURIComponent(org) }
  } catch {
    // A broken percent escape.
    return { page: 'not-found' }
  }
}

function matchApp(rest: string): Route {
  for (const [pattern, page] of APP) {
    const match = new RegExp(`^${pattern.replace(':id', '([^/]+)')}$`).exec(rest)
    if (match !== null) return match[1] === undefined ? { page } : { page, id: decodeURIComponent(match[1]) }
  }
  return { page: 'not-found' }
}

/** @returns The path of a page of an organisation. */
export function appPath(org: string, page: PageName, id = ''): string {
  const [pattern] = APP.find(([, name]) => name === page) ?? ['']
  return `${BASE}/org/${encodeURIComponent(org)}/app/${pattern.replace(':id', encodeURIComponent(id))}`
}

/** @returns A path of this application to go to after the sign-in; undefined for any other address. */
export function parseNext(next: string | null, base = BASE): string | undefined {
  if (next === null || next.includes('\\')) return undefined
  // `//host` and `/\host` name another host.
  return /^\/(org\/|dashboard(\/continue-sign-in)?$)/.test(below(next, base) ?? '') ? next : undefined
}
