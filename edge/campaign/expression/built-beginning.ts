// Keeps the origin of an address that a template has built: what its author wrote at the beginning decides, no value.

import { decodeReferences } from '../../lib/markup.ts'
import type { Beginning } from './address-beginnings.ts'
import { PRINTED, readTexts } from './address-states.ts'

/** Behind these, nothing decides about the origin. */
const WITH_ORIGIN = /^(?:[a-z][a-z0-9+.-]*:[/\\]*|[/\\]{2,})(?![/\\])[^/\\?#]*[/\\?#]|^[/\\]?[^/\\?#:]+[/\\?#]/i
const ORIGIN = /https?:\/\/[\p{L}\p{N}.-]+(?::\d+)?/giu
const MAX_ORIGINS = 100
const KEPT = /[\t\n\r]/g

/** How the rest of an address goes on behind a beginning: at a slash, in a host, in a name without a colon, or anyhow. */
type Rule = '/' | 'h' | 'n' | '-'

/** @returns Undefined where the value behind it is the host, or all */
function ruleOf(text: string): Rule | undefined {
  const [state = ''] = readTexts(new Set(['']), [decodeReferences(text)])
  if (/^(?:(?:x:)?\/\/)?$/.test(state)) return undefined
  if (/^(?:x:)?\/$/.test(state)) return '/'
  if (/^(?:x:)?\/\/./.test(state)) return 'h'
  return /^[a-z]+$/.test(state) && !state.includes(PRINTED) ? 'n' : '-'
}

/** @returns How the origins that a template has are written into it, for addresses that are built in a way that is not followed */
export function encodeOrigins(source: string): string {
  const origins = new Set(source.match(ORIGIN)?.slice(0, MAX_ORIGINS).map(originOf))
  return `= ${[...origins].map(encodeURIComponent).join(' ')}`
}

/** @returns How beginnings are written into a template, within quotation marks; undefined where none needs to be kept */
export function encodeBeginnings(ways: readonly Beginning[]): string | undefined {
  if (ways.every(({ isWhole }) => isWhole)) return undefined
  const cut = new Set(ways.map(({ text }) => plain(text)).map((text) => WITH_ORIGIN.exec(text)?.[0] ?? text))
  const kept = [...cut].flatMap((text) => {
    const rule = ruleOf(text)
    return rule === undefined ? [] : [rule + encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))]
  })
  return kept.length === 0 ? undefined : kept.join(' ')
}

/** @returns The address with the origin of its beginning; undefined where it has it already */
export function keepBeginning(written: string, encoded: string): string | undefined {
  const address = plain(written)
  const [first = '', ...others] = encoded.split(' ')
  if (first === '=') return keepKnown(address, others.map(decodeURIComponent))
  let beginning = ''
  let rule = '-'
  for (const one of [first, ...others]) {
    const text = decodeURIComponent(one.slice(1))
    const isLonger = text.length > beginning.length
    if (!isLonger || address.slice(0, text.length).toLowerCase() !== text.toLowerCase()) continue
    beginning = text
    rule = one.charAt(0)
  }
  const kept = address.slice(0, beginning.length)
  const rest = address.slice(beginning.length)
  if (rule === '/' && /^[/\\]/.test(rest)) return kept + rest.replace(/^[/\\]+/, '')
  if (rule === 'h' && /^[^/\\?#]/.test(rest)) return `${kept}/${rest}`
  if (rule === 'n' && /^[^/\\?#]*:/.test(rest)) return kept + rest.replace(':', '%3A')
  return undefined
}

/** Of an address that was built in a way that is not followed: a path, or an origin that the template has. */
function keepKnown(address: string, origins: readonly string[]): string | undefined {
  if (/^[/\\]{2}/.test(address)) return address.replace(/^[/\\]+/, '/')
  if (!/^https?:/i.test(address)) return undefined
  return origins.includes(originOf(address)) ? undefined : ''
}

const plain = (text: string) => text.trimStart().replace(KEPT, '')
const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : '')
