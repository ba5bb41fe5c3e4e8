// Refuses content that no parsed body may have: long strings, deep nesting, NUL, lone surrogates, numbers out of range.
// Removes the key `__proto__`.

import type { ErrorDetail } from '../../contract/errors.ts'
import { LIMITS } from '../../contract/limits.ts'

interface Node {
  value: object
  /** Nesting level: the root is 1. */
  level: number
  parent: Node | null
  /** Key or index within the parent. */
  key: string | number
}

const MAX = Number.MAX_SAFE_INTEGER
/** The fault of an integer whose digits a number does not keep. */
export const LARGE_INTEGER = `This must be from ${-MAX} to ${MAX}, or a string where a string is taken.`

export const TOO_DEEP = `Nested deeper than ${LIMITS.nestingLevels} levels.`

export interface GuardOptions {
  /** Lets a bigint pass (`lib/read-json.ts`): the caller refuses it, or calls `keepDigits`. */
  keepsLargeIntegers?: boolean
  /** The largest string; default: `LIMITS.stringBytes`. */
  stringBytes?: number
}

/**
 * Walks the value once, without recursion, and removes the key `__proto__` in place. Returns the first fault, or undefined.
 * Sizes of strings are UTF-8 bytes.
 */
export function guardJson(root: object, options: GuardOptions = {}): ErrorDetail | undefined {
  const stack: Node[] = [{ value: root, level: 1, parent: null, key: '' }]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.level > LIMITS.nestingLevels) {
      return { path: pathOf(node), message: TOO_DEEP }
    }
    const fault = Array.isArray(node.value)
      ? guardArray(node, node.value, stack, options)
      : guardObject(node, node.value as Record<string, unknown>, stack, options)
    if (fault !== undefined) return fault
  }
  return undefined
}

function guardArray(node: Node, list: unknown[], stack: Node[], options: GuardOptions): ErrorDetail | undefined {
  for (let index = 0; index < list.length; index++) {
    const value = list[index]
    if (typeof value === 'string') {
      const message = faultOf(value, options.stringBytes)
      if (message !== undefined) return { path: `${pathOf(node)}[${index}]`, message }
    } else if (typeof value === 'object' && value !== null) {
      stack.push({ value, level: node.level + 1, parent: node, key: index })
    } else {
      const message = faultOfNumber(value, options)
      if (message !== undefined) return { path: `${pathOf(node)}[${index}]`, message }
    }
  }
  return undefined
}

function guardObject(
  node: Node,
  record: Record<string, unknown>,
  stack: Node[],
  options: GuardOptions,
): ErrorDetail | undefined {
  for (const key of Object.keys(record)) {
    if (key === '__proto__') {
      delete record[key]
      continue
    }
    const keyFault = faultOf(key)
    if (keyFault !== undefined) return { path: pathOf(node), message: `A key is refused. ${keyFault}` }
    const value = record[key]
    if (typeof value === 'string') {
      const message = faultOf(value, options.stringBytes)
      if (message !== undefined) return { path: joinPath(pathOf(node), key), message }
    } else if (typeof value === 'object' && value !== null) {
      stack.push({ value, level: node.level + 1, parent: node, key })
    } else {
      const message = faultOfNumber(value, options)
      if (message !== undefined) return { path: joinPath(pathOf(node), key), message }
    }
  }
  return undefined
}

/** `1e400` is valid JSON and parses to Infinity, which would be stored as null: not the value that was sent. */
function faultOfNumber(value: unknown, { keepsLargeIntegers }: GuardOptions): string | undefined {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return 'Beyond the range of a double.'
  return typeof value === 'bigint' && !keepsLargeIntegers ? LARGE_INTEGER : undefined
}

function faultOf(text: string, maxBytes: number = LIMITS.stringBytes): string | undefined {
  if (text.includes('\0')) return 'Holds a NUL character.'
  if (!isWellFormed(text)) return 'Holds a lone surrogate.'
  // A UTF-16 unit has at most three bytes, so short strings need no count.
  if (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes) {
    return `Longer than ${maxBytes} bytes.`
  }
  return undefined
}

// Node 20 has the method, the ES2023 library types have not.
const wellFormed = (String.prototype as { isWellFormed?: () => boolean }).isWellFormed
function isWellFormed(text: string): boolean {
  return wellFormed === undefined ? !/\p{Surrogate}/u.test(text) : wellFormed.call(text)
}

function pathOf(node: Node): string {
  const parts: (string | number)[] = []
  for (let at: Node = node; at.parent !== null; at = at.parent) parts.unshift(at.key)
  let path = ''
  for (const part of parts) path = typeof part === 'number' ? `${path}[${part}]` : joinPath(path, part)
  return path
}

function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
