// Compiles and prints messages of translation files: ICU, as intl-messageformat reads it, without markup.

import { IntlMessageFormat } from 'intl-messageformat'
import { createCache } from '../../lib/cache.ts'

export const MAX_MESSAGE_CHARS = 4096
/** A pattern of a date, such as `::yMMMd`. */
const MAX_PATTERN_CHARS = 64
/** Of the compiled messages, in characters of their sources. A message takes up to 30 bytes a character. */
const MAX_KEPT_CHARS = 256 * 1024

/** What prints the values of a message, by options that its author wrote. */
export interface MessageFormatters {
  number(value: unknown, options: Intl.NumberFormatOptions | undefined): string
  date(value: unknown, options: Intl.DateTimeFormatOptions | undefined): string
  plural(value: number, options: Intl.PluralRulesOptions | undefined): string
}

export interface Message {
  /** Of its values. */
  names: ReadonlySet<string>
  /** How often values are printed at most. */
  places: number
  /** Values that the message lacks are empty. */
  format(values: ReadonlyMap<string, MessageValue>, formatters: MessageFormatters): string
}

export type MessageValue = number | string | MessageText

/** A text that is no number: a plural of it is `other`, and prints no number. */
export class MessageText {
  readonly #text: string
  constructor(text: string) {
    this.#text = text
  }
  toString(): string {
    return this.#text
  }
  valueOf(): number {
    return Number.NaN
  }
}

/** The types of elements in the tree of the library. */
const ELEMENT = { literal: 0, number: 2, date: 3, time: 4, pound: 7 }
const STYLED = new Map([
  [ELEMENT.number, 'number'],
  [ELEMENT.date, 'date'],
  [ELEMENT.time, 'time'],
] as const)
type Element = ReturnType<IntlMessageFormat['getAst']>[number]

const NOTHING = new MessageText('')
const OPTIONS = { ignoreTag: true }
const messages = createCache<string, Message>({ maxSize: MAX_KEPT_CHARS, sizeOf: (_, key) => key.length })

/** @returns the fault of a message; undefined when it can be printed with any values */
export function findMessageFault(source: string): string | undefined {
  if (source.length > MAX_MESSAGE_CHARS) return `A message has at most ${MAX_MESSAGE_CHARS} characters.`
  try {
    // The library reads each `j` of a pattern of dates in 0.3 ms, so it reads a message without its patterns first.
    for (const element of walk(
      IntlMessageFormat.__parse?.(source, { ...OPTIONS, shouldParseSkeletons: false }) ?? [],
    )) {
      const fault = findStyleFault(element)
      if (fault !== undefined) return fault
    }
    // What has options that no formatter takes fails here, in the branch of a plural too.
    const elements = new IntlMessageFormat(source, 'en', undefined, OPTIONS).getAst()
    for (const element of walk(elements)) if (STYLED.has(element.type)) tryStyle(element)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? error.message.toLowerCase().replaceAll('_', ' ') : 'it cannot be read'
    return `This is no ICU message: ${reason}.`
  }
}

/** Returns a message that was checked when it was saved. @throws when it has a fault all the same */
export function getMessage(source: string, locale: string): Message {
  const key = `${locale} ${source}`
  const known = messages.get(key) ?? compile(source, locale)
  messages.set(key, known)
  return known
}

function* walk(elements: readonly Element[]): Generator<Element> {
  for (const element of elements) {
    yield element
    if ('options' in element) for (const { value } of Object.values(element.options)) yield* walk(value)
  }
}

function findStyleFault(element: Element): string | undefined {
  const kind = STYLED.get(element.type)
  const style = kind !== undefined && 'style' in element ? element.style : undefined
  if (kind === undefined || style === undefined || style === null) return undefined
  if (typeof style === 'string')
    return Object.hasOwn(IntlMessageFormat.formats[kind], style)
      ? undefined
      : `There is no style ${style} of a ${kind}.`
  if (!('pattern' in style)) return undefined
  const hours = style.pattern.match(/j+/g)?.length ?? 0
  return style.pattern.length > MAX_PATTERN_CHARS || hours > 1
    ? `A pattern has at most ${MAX_PATTERN_CHARS} characters, and its hour once.`
    : undefined
}

/** @throws for options that `Intl` refuses */
function tryStyle(element: Element): void {
  const tried = new IntlMessageFormat([element], 'en', undefined, OPTIONS)
  tried.format(new Proxy({}, { has: () => true, get: () => 0 }))
}

function compile(source: string, locale: string): Message {
  const names = new Set<string>()
  let places = 0
  // Messages print one after the other.
  let current: MessageFormatters | undefined
  const printing = (print: (formatters: MessageFormatters) => string): string => {
    if (current === undefined) throw new Error('message has no formatters')
    return print(current)
  }
  const message = new IntlMessageFormat(source, [locale, 'en-US'], undefined, {
    ...OPTIONS,
    formatters: {
      getNumberFormat: (_, options) =>
        ({ format: (value: unknown) => printing(({ number }) => number(value, options)) }) as never,
      getDateTimeFormat: (_, options) =>
        ({ format: (value: unknown) => printing(({ date }) => date(value, options)) }) as never,
      getPluralRules: (_, options) =>
        ({ select: (value: number) => printing(({ plural }) => plural(value, options)) }) as never,
    },
  })
  for (const element of walk(message.getAst())) {
    if (element.type === ELEMENT.literal) continue
    places++
    if ('value' in element && element.type !== ELEMENT.pound) names.add(String(element.value))
  }
  return {
    names,
    places,
    format(values, formatters) {
      const filled = Object.create(null) as Record<string, never>
      for (const name of names) filled[name] = (values.get(name) ?? NOTHING) as never
      current = formatters
      try {
        return message
          .formatToParts(filled)
          .map(({ value }) => String(value))
          .join('')
      } finally {
        current = undefined
      }
    },
  }
}
