// A CSV answer that is made while it is sent: portions of rows become text when the client has taken what came before (contract section 7).

import { stringify } from 'csv-stringify/sync'

/** Longer than this a client may not leave a portion lying: it would hold a connection for good. */
const STALLED_MS = 60_000

export interface CsvSource {
  columns: readonly string[]
  /** Rows as objects by column; ended early when the client is gone. */
  portions: AsyncGenerator<readonly object[], void, undefined>
  /** Reading failed on the way, or the client stalled. */
  onFailure(error: unknown): void
  /** Cuts the connection, so that nobody takes a part for the whole. Without it the stream itself is broken off. */
  cut?: (() => void) | undefined
  stalledMs?: number
}

/**
 * RFC 4180 with a header row and CRLF. Cells that a spreadsheet would run (`= + - @`, tab, CR first) begin with an
 * apostrophe. Throws when the first portion cannot be read: then no answer has begun.
 */
export async function openCsv(source: CsvSource): Promise<ReadableStream<Uint8Array>> {
  const { columns, portions, stalledMs = STALLED_MS } = source
  const encoder = new TextEncoder()
  let stalled: NodeJS.Timeout | undefined
  let ready: IteratorResult<readonly object[], void> | undefined = await portions.next()
  let header = true

  async function fail(controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): Promise<void> {
    clearTimeout(stalled)
    source.onFailure(error)
    if (source.cut === undefined) controller.error(error)
    else source.cut()
    await portions.return()
  }

  async function pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    clearTimeout(stalled)
    const { done, value } = ready ?? (await portions.next())
    ready = undefined
    const text = toText(columns, value ?? [], header)
    header = false
    if (text !== '') controller.enqueue(encoder.encode(text))
    if (done === true) return controller.close()
    const late = new Error('The client of an export has stopped reading.')
    stalled = setTimeout(() => void fail(controller, late), stalledMs).unref()
  }

  return new ReadableStream<Uint8Array>(
    {
      pull: (controller) => pull(controller).catch((error: unknown) => fail(controller, error)),
      async cancel() {
        clearTimeout(stalled)
        await portions.return()
      },
    },
    // Nothing is read ahead of the client.
    { highWaterMark: 0 },
  )
}

function toText(columns: readonly string[], rows: readonly object[], header: boolean): string {
  return stringify([...rows], {
    columns: [...columns],
    header,
    record_delimiter: 'windows',
    escape_formulas: true,
    // The library quotes what holds the whole of CRLF; a CR or LF alone ends a row for readers too.
    quoted_match: /[\r\n]/,
    cast: { boolean: (value) => String(value) },
  })
}
