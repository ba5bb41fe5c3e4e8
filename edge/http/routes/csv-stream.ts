// Streams a CSV answer.

import { stringify } from 'csv-stringify/sync'
import { openText, type TextSource } from './text-stream.ts'

export interface CsvSource extends Omit<TextSource, 'portions'> {
  columns: readonly string[]
  /** Rows as objects by column. The generator is ended early when the client disconnects. */
  portions: AsyncGenerator<readonly object[], void, undefined>
}

/**
 * Writes RFC 4180 with a header row and CRLF. An apostrophe precedes cells that a spreadsheet would execute, which begin
 * with one of `= + - @`, tab or CR.
 * @returns The stream. Rejects when the first rows cannot be read, before an answer has begun.
 */
export function openCsv({ columns, portions, ...rest }: CsvSource): Promise<ReadableStream<Uint8Array>> {
  return openText({ ...rest, portions: textOf(columns, portions) })
}

async function* textOf(columns: readonly string[], portions: CsvSource['portions']) {
  let header = true
  for await (const rows of portions) {
    yield toText(columns, rows, header)
    header = false
  }
  if (header) yield toText(columns, [], header)
}

function toText(columns: readonly string[], rows: readonly object[], header: boolean): string {
  return stringify([...rows], {
    columns: [...columns],
    header,
    record_delimiter: 'windows',
    escape_formulas: true,
    // The library quotes cells with CRLF only, but a CR or LF alone also ends a row for readers.
    quoted_match: /[\r\n]/,
    cast: { boolean: (value) => String(value) },
  })
}
