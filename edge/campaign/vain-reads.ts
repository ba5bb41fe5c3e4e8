// Lists what a definition reads or writes in vain: fields that no event and no user has, and formats of dates without a sign.

import type { MailWarning } from '../../contract/resources/mail.ts'
import type { StoredDefinition } from '../domain/campaign.ts'
import { DATE_STYLES } from './expression/liquid-dates.ts'
import { listTemplatePaths } from './expression/read-paths.ts'
import { listStatements } from './expression/template-parts.ts'
import { listTexts, operandsOf, type WrittenText } from './read-properties.ts'

const EVENT = { fields: ['name', 'userId', 'properties', 'occurredAt'], free: 'properties' }
const USER = { fields: ['id', 'email', 'name', 'locale', 'timeZone', 'attributes'], free: 'attributes' }
/** What conditions and templates see, and the field of it that has names of the customer. */
const ROOTS: Readonly<Record<string, typeof EVENT>> = { event: EVENT, awaited: EVENT, user: USER }
const TEMPLATE_ROOTS = ['event', 'user']
/** What templates have of any object. */
const OF_ANY = new Set(['size', 'first', 'last', '[]'])
/** A template or condition that gives the name of a root to something else. */
const OWN_NAME = /\b(?:assign|capture)\s+["']?(event|user)\b|\(\s*(event|user|awaited)\s*,/g
const DATE_FORMAT = /\|\s*date\s*:\s*(?:"([^"%]+)"|'([^'%]+)')/g
const MAX_NAME_CHARS = 60

/** @param definition One that was checked */
export function* listVainReads(definition: Pick<StoredDefinition, 'trigger' | 'steps'>): Generator<MailWarning> {
  for (const written of listTexts(definition)) {
    const messages = new Set([...faultsOfFields(written), ...(written.isCondition ? [] : faultsOfDates(written.text))])
    for (const message of messages) yield { path: written.path, line: null, message }
  }
}

function faultsOfFields({ text, isCondition }: WrittenText): string[] {
  const paths = isCondition ? operandsOf(text) : listTemplatePaths(text, TEMPLATE_ROOTS)
  if (paths.length === 0) return []
  const taken = new Set([...text.matchAll(OWN_NAME)].flatMap(([, name, variable]) => name ?? variable ?? []))
  return paths.flatMap(([root = '', field]) => {
    const known = taken.has(root) || !Object.hasOwn(ROOTS, root) ? undefined : ROOTS[root]
    if (known === undefined || field === undefined || known.fields.includes(field)) return []
    return !isCondition && OF_ANY.has(field) ? [] : [faultOf(root, field.slice(0, MAX_NAME_CHARS), known)]
  })
}

function faultOf(root: string, field: string, { fields, free }: typeof EVENT): string {
  const plain = plainOf(field)
  const meant = fields.find((one) => plainOf(one) === plain || plainOf(`${root}${one}`) === plain)
  const instead = meant === undefined ? `; ${free} stand in ${root}.${free}.${field}.` : `. Write ${root}.${meant}.`
  return `${root} has no field ${field}${instead}`
}

const plainOf = (name: string) => name.replace(/[-_]/g, '').toLowerCase()

function faultsOfDates(text: string): string[] {
  if (!text.includes('date')) return []
  return listStatements(text).flatMap(({ inside }) =>
    [...inside.matchAll(DATE_FORMAT)].flatMap(([, double, single]) => {
      const format = double ?? single ?? ''
      if (DATE_STYLES.has(format)) return []
      return `The date format "${format.slice(0, MAX_NAME_CHARS)}" prints itself, as it has no sign such as %d. Write "%d.%m.%Y", or one of ${[...DATE_STYLES].join(', ')}.`
    }),
  )
}
