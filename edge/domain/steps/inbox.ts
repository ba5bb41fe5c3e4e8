// The step `inbox`: a message into the user's inbox (contract sections 5 and 6).

import { ACTION_STYLES, PRIORITIES } from '../../../contract/delivery.ts'
import { findDurationMs } from '../../lib/duration.ts'
import type { InboxStep } from '../campaign.ts'
import { mustCompileTemplate } from '../expression/template.ts'
import type { Json } from '../json.ts'
import type { CompiledInboxStep } from './compiled.ts'
import { readData } from './data.ts'
import { compileContent } from './message-content.ts'
import type { Reader } from './reader.ts'

const MAX_ACTIONS = 10
const MAX_LOCALES = 100
const LOCALE = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,4}$/
const OPTIONAL_TEMPLATES = ['link', 'icon', 'imageUrl', 'entity', 'collapseKey'] as const

export function parseInboxStep(reader: Reader, id: string): InboxStep {
  const bodyFormat = reader.oneOf('bodyFormat', ['text', 'markdown'])
  const kind = bodyFormat ?? 'text'
  const step: InboxStep = { id, type: 'inbox', title: parseTitle(reader) }
  const body = reader.template('body', kind)
  if (body !== undefined) step.body = body
  if (bodyFormat !== undefined) step.bodyFormat = bodyFormat
  for (const key of OPTIONAL_TEMPLATES) {
    const template = reader.template(key, 'text')
    if (template !== undefined) step[key] = template
    else if (reader.isNull(key)) step[key] = null
  }
  const actions = reader.objects('actions', MAX_ACTIONS)
  if (actions !== undefined) step.actions = actions.map(parseAction)
  const priority = reader.oneOf('priority', PRIORITIES)
  if (priority !== undefined) step.priority = priority
  const expiresAfter = reader.duration('expiresAfter')
  if (expiresAfter !== undefined) step.expiresAfter = expiresAfter
  else if (reader.isNull('expiresAfter')) step.expiresAfter = null
  const data = parseData(reader)
  if (data !== undefined) step.data = data
  const locales = parseLocales(reader, kind)
  if (locales !== undefined) step.locales = locales
  return step
}

function parseTitle(reader: Reader): string {
  if (!reader.has('title')) reader.fault('title', 'This is missing.')
  const title = reader.template('title', 'text')
  if (title?.trim() === '') reader.fault('title', 'This must not be empty.')
  return title ?? ''
}

function parseAction(reader: Reader): NonNullable<InboxStep['actions']>[number] {
  if (!reader.has('label')) reader.fault('label', 'This is missing.')
  const label = reader.template('label', 'text') ?? ''
  const link = reader.template('link', 'text')
  const style = reader.oneOf('style', ACTION_STYLES)
  const kept = reader.isNull('link') ? { link: null } : link === undefined ? {} : { link }
  return { label, ...kept, ...(style === undefined ? {} : { style }) }
}

function parseData(reader: Reader): Record<string, Json> | undefined {
  const data = reader.object('data')
  return data === undefined ? undefined : readData(data)
}

function parseLocales(reader: Reader, kind: 'text' | 'markdown'): InboxStep['locales'] {
  const locales = reader.object('locales')
  if (locales === undefined) return undefined
  const keys = locales.keys()
  if (keys.length > MAX_LOCALES) reader.fault('locales', `At most ${MAX_LOCALES} locales.`)
  const parsed: NonNullable<InboxStep['locales']> = {}
  for (const key of keys.slice(0, MAX_LOCALES)) {
    if (!LOCALE.test(key)) locales.fault(key, 'This is no locale, such as fr or fr-CA.')
    const wording = locales.object(key)
    const title = wording?.template('title', 'text')
    const body = wording?.template('body', kind)
    parsed[key] = { ...(title === undefined ? {} : { title }), ...(body === undefined ? {} : { body }) }
  }
  return parsed
}

export function compileInboxStep(step: InboxStep, category: string | null): CompiledInboxStep {
  return {
    type: 'inbox',
    id: step.id,
    content: compileContent(step, category),
    collapseKey: step.collapseKey == null ? null : mustCompileTemplate(step.collapseKey, 'text'),
    expiresAfterMs: step.expiresAfter == null ? null : (findDurationMs(step.expiresAfter) ?? null),
  }
}
