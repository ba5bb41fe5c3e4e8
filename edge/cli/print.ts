// Plain tables for terminals.

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
