// Prints JSON as literals of the languages that have an SDK.

import type { Json } from '../../../contract/json.ts'

/** Prints a list with one value a line where it does not fit on one. */
function layOut(open: string, parts: readonly string[], close: string, indent: string): string {
  const line = `${open}${parts.join(', ')}${close}`
  if (line.length <= 70 && !line.includes('\n')) return line
  return `${open}\n${parts.map((part) => `${indent}  ${part}`).join(',\n')}\n${indent}${close}`
}

export function jsonLiteral(value: Json, indent = ''): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`)
}

/** Names stand without quotation marks where they can. */
export function javaScriptLiteral(value: Json, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    return layOut(
      '[',
      value.map((one) => javaScriptLiteral(one, inner)),
      ']',
      indent,
    )
  }
  const nameOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : javaScriptLiteral(name))
  const parts = Object.entries(value).map(([name, one]) => `${nameOf(name)}: ${javaScriptLiteral(one, inner)}`)
  const text = layOut('{ ', parts, ' }', indent)
  return text.includes('\n') ? text.replace(/^\{ /, '{').replace(/ \}$/, '}') : text
}

export function javaLiteral(value: Json, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    return layOut(
      'List.of(',
      value.map((one) => javaLiteral(one, inner)),
      ')',
      indent,
    )
  }
  const parts = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}, ${javaLiteral(one, inner)}`)
  return layOut('Map.of(', parts, ')', indent)
}

export function phpLiteral(value: Json, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll(/[\\']/g, '\\$&')}'`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((one) => phpLiteral(one, inner))
    : Object.entries(value).map(([name, one]) => `${phpLiteral(name)} => ${phpLiteral(one, inner)}`)
  return layOut('[', parts, ']', indent)
}
