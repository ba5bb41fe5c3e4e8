// Formats plain tables for terminals.

import type { Table } from './command.ts'

/** Formats columns as wide as their widest cell, two spaces between; removes characters that could move the cursor. */
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

/** Names come from customers and must not control the operator's terminal. */
function clean(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}
