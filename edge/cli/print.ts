// Plain tables for terminals, and the difference of two JSON values in lines that people read.

import type { Table } from './command.ts'

/** Columns as wide as their widest cell, two spaces between; what could move the cursor is taken out. */
export function printTable({ columns, rows }: Table): string {
  const cells = [columns, ...rows].map((row) => row.map((cell) => clean(cell === null ? '-' : String(cell))))
  const widths = columns.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  if (rows.length === 0) lines.push('(none)')
  return `${lines.join('\n')}\n`
}

/** Names come from customers: none of them writes to the operator's terminal. */
function clean(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}

/** One line per place that differs: `+` only in `to`, `-` only in `from`, `~` in both. Empty when they are equal. */
export function differenceOf(from: unknown, to: unknown): string[] {
  const [left, right] = [flatten(from), flatten(to)]
  const paths = [...new Set([...left.keys(), ...right.keys()])]
  return paths.flatMap((path) => {
    const [before, after] = [left.get(path), right.get(path)]
    if (before === after) return []
    if (before === undefined) return [`+ ${path}: ${after}`]
    if (after === undefined) return [`- ${path}: ${before}`]
    return [`~ ${path}: ${before} → ${after}`]
  })
}

function flatten(value: unknown, path = '', into = new Map<string, string>()): Map<string, string> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  if (entries.length === 0) into.set(path, JSON.stringify(value) ?? 'undefined')
  for (const [key, inner] of entries) {
    const step = Array.isArray(value) ? `[${key}]` : path === '' ? key : `.${key}`
    flatten(inner, path + step, into)
  }
  return into
}
