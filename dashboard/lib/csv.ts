// Writes a small table as CSV (RFC 4180), and counts the rows of a CSV text that arrives in pieces.

/** An apostrophe precedes cells that a spreadsheet would execute. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')
}

function toCell(value: string | number | null): string {
  if (value === null) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const QUOTE = 0x22
const LINE_FEED = 0x0a

/** @returns A function that takes the next bytes and returns the number of rows so far, without the header. */
export function createRowCounter(): (bytes: Uint8Array) => number {
  let isQuoted = false
  let lines = 0
  return (bytes) => {
    for (const byte of bytes) {
      if (byte === QUOTE) isQuoted = !isQuoted
      else if (byte === LINE_FEED && !isQuoted) lines++
    }
    return Math.max(0, lines - 1)
  }
}
