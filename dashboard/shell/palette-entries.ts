// Lists what the palette finds without the server: pages, actions and ids by their prefix.

import type { Role } from '../../contract/role.ts'
import type { PageName } from '../routing/routes.ts'
import type { AppContext } from './context.ts'
import { NAVIGATION } from './pages.ts'

export interface PaletteEntry {
  label: string
  /** What it is, beside the label. */
  kind: string
  icon: string
  href: string
}

type Links = Pick<AppContext, 'link' | 'may' | 'environment'>

interface Action {
  label: string
  icon: string
  page: PageName
  role?: Role
}

/** Each leads to the page where it is done. */
const ACTIONS: readonly Action[] = [
  { label: 'Create a campaign', icon: 'campaign', page: 'new-campaign', role: 'editor' },
  { label: 'Rotate a secret', icon: 'key', page: 'secrets', role: 'admin' },
  { label: 'Invite a member', icon: 'members', page: 'members', role: 'admin' },
  { label: 'Suppress a user or an address', icon: 'ban', page: 'suppressions', role: 'editor' },
  { label: 'Connect a mail account', icon: 'mail', page: 'integrations', role: 'admin' },
  { label: 'Create a source', icon: 'source', page: 'sources', role: 'admin' },
  { label: 'Add an enricher', icon: 'plug', page: 'enrichers', role: 'admin' },
  { label: 'Create an environment', icon: 'gear', page: 'environments', role: 'admin' },
  { label: 'Check a token', icon: 'key', page: 'environment' },
  { label: 'Export deliveries', icon: 'download', page: 'inbox' },
  { label: 'Change your password', icon: 'user', page: 'account' },
]

/** @returns Whether each word of the text begins a word of the label. */
export function matches(label: string, text: string): boolean {
  const words = label.toLowerCase().split(/[\s-]+/)
  const asked = text.toLowerCase().split(/\s+/).filter(Boolean)
  return asked.every((part) => words.some((word) => word.startsWith(part)))
}

export function findPages({ link, may, environment }: Links, text: string): PaletteEntry[] {
  const pages = NAVIGATION.flat().map(({ page, label, icon, role }) => ({ page, label, icon, role, kind: 'Page' }))
  const account = { page: 'account' as const, label: 'Your account', icon: 'user', role: undefined, kind: 'Page' }
  const actions = ACTIONS.map((action) => ({ role: undefined, ...action, kind: 'Action' }))
  return [...pages, account, ...actions]
    .filter(({ label, role }) => (role === undefined || may(role)) && matches(label, text))
    .map(({ page, label, icon, kind }) => {
      const isOfEnvironment = page === 'secrets' || page === 'environment'
      return { label, kind, icon, href: link(page, isOfEnvironment ? environment.id : '') }
    })
}

/** @returns The page of an id that is known by its prefix. */
export function findById({ link }: Pick<Links, 'link'>, text: string): PaletteEntry[] {
  const found: [prefix: string, kind: string, icon: string, href: (id: string) => string][] = [
    ['msg_', 'Message', 'inbox', (id) => link('inbox', '', { messageId: id, message: id })],
    ['evt_', 'Event', 'bolt', (id) => link('event', id)],
    ['cmp_', 'Campaign', 'campaign', (id) => link('campaign', id)],
    ['src_', 'Source', 'source', (id) => link('source', id)],
    ['env_', 'Environment', 'gear', (id) => link('environment', id)],
  ]
  return found.flatMap(([prefix, kind, icon, href]) =>
    text.startsWith(prefix) && text.length > prefix.length ? [{ label: text, kind, icon, href: href(text) }] : [],
  )
}
