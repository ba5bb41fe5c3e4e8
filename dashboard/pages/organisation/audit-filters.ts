// Reads the filters of the audit log from the address, and names actors and actions for people.

import { type Change, parseLine } from '../../elements/difference.ts'
import type { Choice } from '../../elements/filter-fields.ts'
import { toWords } from '../../lib/format.ts'
import { toInstant } from '../../lib/instant.ts'

export const AUDIT_FILTERS = ['actor', 'action', 'environment', 'from', 'to'] as const
export type AuditFilterName = (typeof AUDIT_FILTERS)[number]
export type AuditFilters = Readonly<Partial<Record<AuditFilterName, string>>>

export function parseAuditFilters(query: URLSearchParams): AuditFilters {
  return Object.fromEntries(
    AUDIT_FILTERS.flatMap((name) => {
      const text = query.get(name) || undefined
      const value = name === 'from' || name === 'to' ? toInstant(text) : text
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The interfaces by which changes are made. */
export const ACTORS: readonly Choice[] = [
  ['dashboard', 'Dashboard'],
  ['api', 'API key'],
  ['cli', 'Command line'],
  ['seed', 'Demo data'],
  ['server', 'The service itself'],
]

/** The nouns of actions; a single action such as `secret.rotate` filters too. */
export const NOUNS: readonly Choice[] = [
  ['campaign', 'Campaign'],
  ['config', 'Notification config'],
  ['email-integration', 'Integration of e-mail'],
  ['enricher', 'Enricher'],
  ['env', 'Environment'],
  ['member', 'Member'],
  ['org', 'Organisation'],
  ['retention', 'Retention'],
  ['secret', 'Secret'],
  ['settings', 'Settings'],
  ['suppression', 'Suppression'],
  ['topic', 'Topic'],
  ['user', 'User'],
]

export const actorName = (actor: string): string => ACTORS.find(([one]) => one === actor)?.[1] ?? actor

/** `org.set-single-sign-on` → "Organisation: set single sign on". */
export function actionName(action: string): string {
  const [noun = '', verb = ''] = action.split('.')
  const name = NOUNS.find(([one]) => one === noun)?.[1] ?? toWords(noun)
  return verb === '' ? name : `${name}: ${verb.replaceAll('-', ' ')}`
}

/** `cacheSeconds` → "Cache seconds". */
export function fieldName(name: string): string {
  return toWords(name.replaceAll(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`))
}

/** @returns The changes of a `difference`, one for each line. */
export function parseDifference(text: string): Change[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLine)
}
