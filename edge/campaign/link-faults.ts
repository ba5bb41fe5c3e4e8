// Finds links of a definition that no message may have: those without values, and those whose host a value could continue.

import type { ErrorDetail } from '../../contract/errors.ts'
import { isImageLink, safeLink } from '../../contract/link.ts'
import { listRefused } from '../lib/html-addresses.ts'
import { findAddressFaults, listConstantAddresses } from './expression/address-values.ts'
import { listDestinations } from './expression/markdown.ts'
import { isRecord } from './steps/step-type.ts'

const SENDS = new Set(['inbox', 'email'])
const MAX_FAULTS = 100
const SHOWN_CHARS = 200

/** @param schemes Of apps, that links may have. @returns a fault for each such link, with its path */
export function findLinkFaults(definition: object, schemes: readonly string[]): ErrorDetail[] {
  const faults: ErrorDetail[] = []
  for (const { step, path } of sendingSteps(definition, '')) {
    for (const linking of listLinking(step, path)) faults.push(...faultsOf(linking, schemes))
    if (faults.length >= MAX_FAULTS) break
  }
  return faults.slice(0, MAX_FAULTS)
}

type Step = Record<string, unknown>

function* sendingSteps(value: unknown, path: string): Generator<{ step: Step; path: string }> {
  if (Array.isArray(value)) {
    for (const [place, inner] of value.entries()) yield* sendingSteps(inner, `${path}[${place}]`)
  } else if (isRecord(value)) {
    if (typeof value.type === 'string' && SENDS.has(value.type)) yield { step: value, path }
    else
      for (const [key, inner] of Object.entries(value)) yield* sendingSteps(inner, path === '' ? key : `${path}.${key}`)
  }
}

/** A text of a step that is an address, or that contains addresses. */
interface Linking {
  path: string
  text: string
  kind: 'address' | 'image' | 'file' | 'markdown' | 'html'
}

function listLinking(step: Record<string, unknown>, path: string): Linking[] {
  const one = (place: string, text: unknown, kind: Linking['kind']) =>
    isText(text) ? [{ path: `${path}.${place}`, text, kind }] : []
  const texts = [{ at: '', written: step }, ...localesOf(step)].flatMap(({ at, written }) => [
    ...one(`${at}markdown`, written.markdown, 'markdown'),
    ...one(`${at}body`, step.bodyFormat === 'markdown' ? written.body : undefined, 'markdown'),
    ...one(`${at}html`, written.html, 'html'),
  ])
  return [
    ...one('link', step.link, 'address'),
    ...itemsOf(step.actions).flatMap((action, place) => one(`actions[${place}].link`, action.link, 'address')),
    ...one('imageUrl', step.imageUrl, 'image'),
    // The name of an icon is no address, and no fault of it.
    ...one('icon', step.icon, 'file'),
    ...itemsOf(step.attachments).flatMap((file, place) => one(`attachments[${place}].url`, file.url, 'file')),
    ...texts,
  ]
}

function faultsOf({ path, text, kind }: Linking, schemes: readonly string[]): ErrorDetail[] {
  const written = kind === 'markdown' || kind === 'html' ? kind : 'address'
  // In HTML and Markdown a constant may be a picture, an e-mail address or no address at all: sending decides there.
  const constants = written === 'address' ? listConstantAddresses(text, written) : []
  const refused = [text, ...constants.filter((link) => link !== '')]
    .flatMap((one) => refusedOf(one, kind, schemes))
    .filter((link) => !isPrinted(link))
  const hosts = findAddressFaults(text, written)
  return [...refused.map((link) => ({ path, message: messageOf(link) })), ...hosts.map((fault) => ({ path, ...fault }))]
}

function refusedOf(text: string, kind: Linking['kind'], schemes: readonly string[]): string[] {
  const isRefused = (link: string) => safeLink(link, schemes) === null
  if (kind === 'markdown') return listDestinations(text).filter(isRefused)
  if (kind === 'html') return listRefused(text, schemes)
  return (kind === 'address' && isRefused(text)) || (kind === 'image' && !isImage(text)) ? [text] : []
}

function localesOf({ locales }: Record<string, unknown>) {
  if (!isRecord(locales)) return []
  return Object.entries(locales).flatMap(([locale, texts]) =>
    isRecord(texts) ? [{ at: `locales.${locale}.`, written: texts }] : [],
  )
}

const itemsOf = (list: unknown) => (Array.isArray(list) ? list.filter(isRecord) : [])
/** An empty one means no link. */
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''
/** A value decides where it leads. */
const isPrinted = (link: string) => link.includes('{{') || link.includes('{%')

function isImage(value: string): boolean {
  const link = safeLink(value)
  return link !== null && isImageLink(link)
}

function messageOf(link: string): string {
  const shown = link.length > SHOWN_CHARS ? `${link.slice(0, SHOWN_CHARS)}…` : link
  return `This link is not allowed: ${JSON.stringify(shown)}. Links are https, http, mailto, tel, sms, a path such as /orders or a #section; an environment may allow schemes of apps (appSchemes).`
}
