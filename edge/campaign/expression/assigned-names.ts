// Finds what a name of a template holds at a place: what was assigned or captured there last, or the element of a loop.

import { insideOf, type TemplatePart } from './template-parts.ts'

/** Up to the expression, which may have any white space: looked for together, each sign of it would be read again and again. */
const ASSIGN = /^assign\s+([\w-]+)\s*=\s*/
const CAPTURE = /^\{%-?\s*capture\s+["']?([\w-]+)/
const LOOP = /^for\s+([\w-]+)\s+in\s+/
const LINES = /^[^\S\n]*assign\s+([\w-]+)\s*=\s*(.*)$/gm
const WRAPPING = /^\{%-?\s*liquid\b|-?%\}$/g
const BLOCK = /^(?:if|unless|case|for)$/
const END = /^end(?:if|unless|case|for)$/

export interface Definition {
  /** From here on. */
  at: number
  /** What it prints: the expression as an output, or what was captured. */
  template: string
  /** It stands in no branch and no loop, so that nothing before it counts any more. */
  isSure: boolean
}

interface Loop {
  from: number
  to: number
  name: string
  collection: string
}

export interface Held {
  definitions: Definition[]
  /** Whether the name may hold none of them, but data or nothing. */
  mayBeOther: boolean
  /** The collection whose element it is; the definitions do not count then. */
  elementOf: string | undefined
}
export type HeldAt = (name: string, at: number) => Held

/** @returns the name in a tag, and what follows; neither where the tag has another form */
function divide(pattern: RegExp, tag: string): [name?: string, rest?: string] {
  const inside = insideOf(tag)
  const [found = '', name] = pattern.exec(inside) ?? []
  return name === undefined ? [] : [name, inside.slice(found.length)]
}

/** @returns A function that returns what a name holds where an output begins */
export function findHeld(source: string, parts: readonly TemplatePart[]): HeldAt {
  const definitions = new Map<string, Definition[]>()
  const loops: Loop[] = []
  const define = (name: string, one: Definition) => {
    const known = definitions.get(name)
    if (known === undefined) definitions.set(name, [one])
    else known.push(one)
  }
  const captures: { name: string; from: number; depth: number }[] = []
  const open: (Loop | undefined)[] = []
  for (const { start, end, tag = '' } of parts) {
    if (tag === '' || tag === 'comment') continue
    const written = source.slice(start, end)
    if (BLOCK.test(tag)) {
      const [name, collection] = tag === 'for' ? divide(LOOP, written) : []
      const loop =
        name === undefined || collection === undefined
          ? undefined
          : { from: end, to: Number.POSITIVE_INFINITY, name, collection }
      if (loop !== undefined) loops.push(loop)
      open.push(loop)
    } else if (END.test(tag)) {
      const loop = open.pop()
      if (loop !== undefined) loop.to = start
    } else if (tag === 'assign') {
      const [name, expression] = divide(ASSIGN, written)
      if (name !== undefined) define(name, { at: end, template: `{{ ${expression} }}`, isSure: open.length === 0 })
    } else if (tag === 'capture')
      captures.push({ name: CAPTURE.exec(written)?.[1] ?? '', from: end, depth: open.length })
    else if (tag === 'endcapture') {
      const capture = captures.pop()
      if (capture === undefined) continue
      const template = source.slice(capture.from, start)
      define(capture.name, { at: end, template, isSure: capture.depth === 0 })
    } else if (tag === 'liquid') {
      for (const [, name = '', expression = ''] of written.replace(WRAPPING, '').matchAll(LINES))
        define(name, { at: end, template: `{{ ${expression.trim()} }}`, isSure: false })
    }
  }
  return (name, at) => {
    const within = loops.filter(({ from, to }) => from <= at && at < to)
    const elementOf = within.findLast((loop) => loop.name === name)?.collection
    const known = definitions.get(name) ?? []
    let next = known.length
    while (next > 0 && (known[next - 1]?.at ?? 0) > at) next--
    let first = Math.max(0, next - 1)
    while (first > 0 && known[first]?.isSure !== true) first--
    // A later one of the same loop holds from the next turn on.
    const end = within[0]?.to
    const later = end === undefined ? [] : known.slice(next).filter((one) => one.at < end)
    const mayBeOther = next === 0 || known[first]?.isSure !== true
    return { definitions: [...known.slice(first, next), ...later], mayBeOther, elementOf }
  }
}
