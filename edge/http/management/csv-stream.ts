// Streams a CSV answer: the next portion of rows is read when the client has received the one before.

import { stringify } from 'csv-stringify/sync'

/** A client that does not read for this long is disconnected, or it would hold a connection forever. */
const STALLED_MS = 60_000

export interface CsvSource {
  columns: readonly string[]
  /** Rows as objects by column; ended early when the client disconnects. */
  portions: AsyncGenerator<readonly object[], void, undefined>
  /** Called when reading fails midway, or the client stalls. */
  onFailure(error: unknown): void
  /** Closes the connection, so that the client notices an incomplete answer. Without it the stream is aborted. */
  cut?: (() => void) | undefined
  stalledMs?: number
}

/**
 * Writes RFC 4180 with a header row and CRLF. Cells that a spreadsheet would execute (`= + - @`, tab, CR first) begin with an
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
    // The library quotes cells with CRLF only, but a CR or LF alone ends a row for readers, too.
    quoted_match: /[\r\n]/,
    cast: { boolean: (value) => String(value) },
  })
}
