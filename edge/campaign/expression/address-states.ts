// Follows an address through the branches and loops of its template: what may stand before each of its outputs.

import { clean } from '../../lib/clean-text.ts'
import { decodeReferences } from '../../lib/markup.ts'
import type { OutputKind } from './liquid-markup.ts'
import type { TemplatePart } from './template-parts.ts'

/** Stands for what an output printed. */
export const PRINTED = '\ue000'

/** @returns written markup as browsers read it in an address: judged is what is printed and sent */
export function readWritten(markup: string, kind: OutputKind | 'address'): string {
  const plain = kind === 'markdown' ? markup.replace(/\\([!-/:-@[-`{-~])/g, '$1') : markup
  return withoutBreaks(kind === 'address' || kind === 'text' ? plain : decodeReferences(plain))
}

/** @returns a text without what is not sent, and without what browsers skip in an address */
export const withoutBreaks = (text: string) => clean(text).replace(/[\t\n]/g, '')

/**
 * A beginning of an address, shortened to what decides how it goes on: `''`; `ht`, of `https`; `x`, a name that may become
 * a scheme; `x:` and `x:x`, opaque; `//` and `x://`, at a host, with `.` at its next name, with `x` or the mark of an
 * output in a name; `/`, where another slash begins a host; the mark of an output; `?/` and `?x`, behind the host.
 */
export type AddressState = string
export type AddressStates = ReadonlySet<AddressState>

const SCHEME = /^([a-z\ue000][a-z0-9+.\ue000-]*):([\s\S]*)$/i
const behindHost = (text: string) => (text.endsWith('/') ? '?/' : '?x')

function atHost(begin: string, host: string): AddressState {
  if (/[/\\?#]/.test(host)) return behindHost(host)
  if (host === '') return begin
  return begin + (/[^\ue000.]/.test(host) ? 'x' : host.endsWith('.') ? '.' : PRINTED)
}

/** Browsers skip all slashes behind these schemes, and read a host without any. */
const withoutSlashes = (text: string) => text.replace(/^[/\\]+/, '')

function shorten(written: string): AddressState {
  const text = written.trimStart()
  const [, scheme, rest = ''] = SCHEME.exec(text) ?? []
  if (scheme !== undefined) {
    if (/^https?$/i.test(scheme) || (scheme.includes(PRINTED) && /^[/\\]/.test(rest)))
      return atHost('//', withoutSlashes(rest))
    if (/^[/\\]{2}/.test(rest)) return atHost('x://', rest.slice(2))
    if (!scheme.startsWith(PRINTED)) return opaque(rest)
  }
  if (/^[/\\]{2}/.test(text)) return atHost('//', withoutSlashes(text))
  if (/^[/\\]?$/.test(text)) return text === '' ? '' : '/'
  if (text.startsWith(PRINTED))
    return /[/?#]/.test(text) ? behindHost(text) : text.endsWith(':') ? `${PRINTED}:` : PRINTED
  if (!/^[a-z][a-z0-9+.\ue000-]*$/i.test(text)) return behindHost(text)
  return 'https'.startsWith(text.toLowerCase()) ? text.toLowerCase() : text.includes(PRINTED) ? `x${PRINTED}` : 'x'
}

function opaque(rest: string): AddressState {
  if (rest === '') return 'x:'
  if (/^[/\\]/.test(rest)) return rest.length === 1 ? 'x:/' : behindHost(rest)
  return /[?#]/.test(rest) ? behindHost(rest) : 'x:x'
}

const union = (one: AddressStates, other: AddressStates): AddressStates => new Set([...one, ...other])

/** @returns what stands there after one of the texts as well */
export function readTexts(states: AddressStates, texts: readonly string[]): AddressStates {
  return new Set(texts.flatMap((text) => [...states].map((state) => shorten(state + text))))
}

/** Behind these, nothing decides about the origin. */
const WITH_ORIGIN = /^(?:[a-z][a-z0-9+.-]*:[/\\]*|[/\\]{2,})(?![/\\])[^/\\?#]*[/\\?#]|^[/\\]?[^/\\?#:]+[/\\?#]/i

/** @returns the beginning of an address that decides about its origin; undefined where it may go on */
export const originPart = (text: string): string | undefined => WITH_ORIGIN.exec(text)?.[0]

/** @returns whether a value behind a beginning of an address is in its host; a value behind `https:` brings the slashes */
export function isInHost(text: string): boolean {
  if (!/[/\\]/.test(text)) return false
  const [state = ''] = readTexts(new Set(['']), [text])
  return /^(?:x:)?\/\/[.\ue000]?$/.test(state) || (text.includes(PRINTED) && /^(?:x:)?\/\/x$/.test(state))
}

/** What may go on a host; in front of `&` or `=`, a value was more than a host. */
const GOES_ON = /[\p{L}\p{N}.:@%_-]/u.source
const OF_VALUES = new RegExp(`^(?:[a-z][a-z0-9+.-]*:)?[/\\\\]*(?![/\\\\])[.${PRINTED}]*(?!${PRINTED}|${GOES_ON})`, 'iu')

/** @returns whether values alone are the host of a beginning */
export const isHostOfValues = (text: string): boolean => text.includes(PRINTED) && OF_VALUES.test(text)

/** @returns whether a host that ends before a text goes on in it */
export const goesOn = (text: string): boolean => new RegExp(`^${GOES_ON}`, 'u').test(text)

interface Block {
  start: AddressStates
  /** Behind the branches so far, and where a loop is left early. */
  ends: AddressStates
  tag: string
  isExhaustive: boolean
  /** Before the first `when` nothing is printed. */
  isInBranch: boolean
  at: number
}

const BEGINS = /^(?:if|unless|case|for)$/
const DIVIDES = /^(?:else|elsif|when)$/
const NONE: AddressStates = new Set()

/** Reads the tags of an address that decide what is printed. A state behind a block is that of any of its branches, or of none. */
export class AddressBranches {
  states: AddressStates = new Set([''])
  readonly #loops: Map<number, AddressStates>
  readonly #blocks: Block[] = []
  /** Whether a turn of a loop ended as none began before, so that the address must be read again. */
  hasGrown = false

  /** @param loops By their places: how turns begin. It is filled */
  constructor(loops: Map<number, AddressStates>) {
    this.#loops = loops
  }

  /** @param leaves Whether it may leave a loop, such as `{% break %}` */
  readTag({ tag = '', start: at }: TemplatePart, leaves: boolean): void {
    const block = this.#blocks.at(-1)
    if (BEGINS.test(tag) || tag === 'capture') {
      if (tag === 'for') this.states = union(this.states, this.#loops.get(at) ?? NONE)
      this.#blocks.push({ start: this.states, ends: NONE, tag, isExhaustive: false, isInBranch: tag !== 'case', at })
    } else if (leaves) {
      const loop = this.#blocks.findLast((one) => one.tag === 'for')
      if (loop !== undefined) this.#endTurn(loop)
    } else if (block === undefined) return
    else if (DIVIDES.test(tag)) this.#divide(block, tag)
    else if (tag === `end${block.tag}`) {
      this.#blocks.pop()
      if (block.tag === 'capture') this.states = block.start
      else this.#end(block)
    }
  }

  #divide(block: Block, tag: string): void {
    if (block.isInBranch) this.#endBranch(block)
    block.isInBranch = true
    if (tag === 'else') block.isExhaustive = true
    // Several branches of a `case` may be printed, one after the other.
    this.states = tag === 'when' ? union(block.start, block.ends) : block.start
  }

  #end(block: Block): void {
    this.#endBranch(block)
    this.states = block.isExhaustive ? block.ends : union(block.start, block.ends)
  }

  #endBranch(block: Block): void {
    if (block.tag === 'for') this.#endTurn(block)
    else block.ends = union(block.ends, this.states)
  }

  #endTurn(loop: Block): void {
    loop.ends = union(loop.ends, this.states)
    const known = this.#loops.get(loop.at) ?? NONE
    if ([...this.states].every((state) => known.has(state) || loop.start.has(state))) return
    this.#loops.set(loop.at, union(known, this.states))
    this.hasGrown = true
  }
}
