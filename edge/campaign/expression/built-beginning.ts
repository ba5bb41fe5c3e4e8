// Keeps the origin of an address that a template has built: what its author wrote at the beginning decides, no value.

import type { Beginning } from './address-beginnings.ts'
import { isHostOfValues, originPart, PRINTED, readTexts, withoutBreaks } from './address-states.ts'

const ORIGIN = /https?:\/\/[\p{L}\p{N}.-]+(?::\d+)?/giu
const MAX_ORIGINS = 100
/** What a value may not add to a name of a host; letters of other scripts end no part of an address. */
export const NOT_IN_NAMES = /(?![\w.-])[\p{ASCII}\p{Z}\p{C}]/gu
/** Where the last value could continue the host, what is before it counts. */
const LAST_VALUE = new RegExp(`${PRINTED}+$`)

/** How the rest of an address goes on behind a beginning: at a slash, in or as a part of a host, in a name without a colon, or anyhow. */
type Rule = '/' | 'h' | 'p' | 'n' | '-'

/** @returns Undefined where the value behind it is the host, or all */
function ruleOf(text: string): Rule | undefined {
  const [state = ''] = readTexts(new Set(['']), [text])
  if (/^(?:(?:x:)?\/\/)?$/.test(state) || isHostOfValues(text)) return undefined
  if (/^(?:x:)?\/$/.test(state)) return '/'
  if (/^(?:x:)?\/\/./.test(state)) return 'h'
  return /^[a-z]+$/.test(state) && !state.includes(PRINTED) ? 'n' : '-'
}

/** @returns How the origins that a template has are written into it, for addresses that are built in a way that is not followed */
export function encodeOrigins(source: string): string {
  const origins = new Set(source.match(ORIGIN)?.slice(0, MAX_ORIGINS).map(originOf))
  return `= ${[...origins].map(encodeURIComponent).join(' ')}`
}

/**
 * @param goesOn whether the author's text behind the output could go on a host
 * @returns How beginnings are written into a template, within quotation marks; undefined where none needs to be kept
 */
export function encodeBeginnings(ways: readonly Beginning[], goesOn: boolean): string | undefined {
  if (ways.every(({ text, isWhole }) => isWhole && !text.includes(PRINTED))) return undefined
  const cut = new Set(ways.map(({ text }) => plain(text)).map((text) => originPart(text) ?? text))
  const isPart = goesOn && ways.every(({ text }) => text !== '')
  const kept = [...cut].flatMap((text) => {
    const begin = text.replace(LAST_VALUE, '')
    const rule = ruleOf(begin) ?? (isPart && begin !== text ? 'p' : undefined)
    return rule === undefined ? [] : [rule + encodeURIComponent(begin)]
  })
  return kept.length === 0 ? undefined : kept.join(' ')
}

/**
 * @param written as browsers read it
 * @returns The address with the origin of its beginning; empty where a value chose another one; undefined where it has it already
 */
export function keepBeginning(written: string, encoded: string): string | undefined {
  const address = plain(written)
  const [first = '', ...others] = encoded.split(' ')
  if (first === '=') return keepKnown(address, others.map(decodeURIComponent))
  const lower = inLowerCase(address)
  let chars = 0
  let rule = '-'
  let hasOtherHost = false
  for (const one of [first, ...others]) {
    const found = charsOf(lower, inLowerCase(decodeURIComponent(one.slice(1))))
    hasOtherHost ||= found === 'other'
    if (found === 'other' || found <= chars) continue
    chars = found
    rule = one.charAt(0)
  }
  if (chars === 0 && hasOtherHost) return ''
  const kept = address.slice(0, chars)
  const rest = address.slice(chars)
  if (rule === '/' && /^[/\\]/.test(rest)) return kept + rest.replace(/^[/\\]+/, '')
  if (rule === 'h' && /^[^/\\?#]/.test(rest)) return `${kept}/${rest}`
  if (rule === 'p') return rest.search(NOT_IN_NAMES) === -1 ? undefined : ''
  if (rule === 'n' && /^[^/\\?#]*:/.test(rest)) return kept + rest.replace(':', '%3A')
  return undefined
}

/** @returns How much of an address, both in lower case, is the beginning, 0 for nothing; `other`: it has its texts, but a value ends its host */
function charsOf(address: string, beginning: string): number | 'other' {
  const [start = '', ...texts] = beginning.split(PRINTED)
  if (!address.startsWith(start)) return 0
  let end = start.length
  let isHost = true
  for (const text of texts) {
    const at = address.indexOf(text, end)
    if (at === -1) return 0
    isHost &&= address.slice(end, at).search(NOT_IN_NAMES) === -1
    end = at + text.length
  }
  return isHost ? end : 'other'
}

/** @returns whether the addresses of a list behind its first one are paths, or have an origin that the template has */
export function keepsOrigins(list: string, encoded: string): boolean {
  const origins = encoded.split(' ').slice(1).map(decodeURIComponent)
  const [, others = ''] = /^\s*\S+\s+([\s\S]*)$/.exec(list) ?? []
  // A comma ends an address, or what stands behind it.
  return others.split(/[\s,]+/).every((one) => keepKnown(one, origins) === undefined)
}

/** Of an address that was built in a way that is not followed: a path, or an origin that the template has. */
function keepKnown(address: string, origins: readonly string[]): string | undefined {
  if (/^[/\\]{2}/.test(address)) return address.replace(/^[/\\]+/, '/')
  if (!/^https?:/i.test(address)) return undefined
  return origins.includes(originOf(address)) ? undefined : ''
}

/** A letter whose other case is longer stays, so that places are the same. */
export const inLowerCase = (text: string) =>
  text.replace(/\p{Lu}/gu, (letter) => {
    const small = letter.toLowerCase()
    return small.length === letter.length ? small : letter
  })
const plain = (text: string) => withoutBreaks(text).trimStart()
const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : '')
