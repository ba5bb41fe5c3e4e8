// Streams a CSV answer: reads the next rows when the client has received the rows before.

import { stringify } from 'csv-stringify/sync'

/** A client that does not read for this long is disconnected, so that it does not keep a connection forever. */
const STALLED_MS = 60_000

export interface CsvSource {
  columns: readonly string[]
  /** Rows as objects by column. The generator is ended early when the client disconnects. */
  portions: AsyncGenerator<readonly object[], void, undefined>
  /** Called when reading fails after the answer has begun, or when the client stops reading. */
  onFailure(error: unknown): void
  /** Closes the connection, so that the client notices an incomplete answer. Without it, the stream is aborted. */
  destroyConnection?: (() => void) | undefined
  /** Milliseconds without a read until the client is disconnected. For tests. */
  stalledMs?: number
}

/**
 * Writes RFC 4180 with a header row and CRLF. An apostrophe precedes cells that a spreadsheet would execute, which begin
 * with one of `= + - @`, tab or CR.
 * @returns The stream. Rejects when the first rows cannot be read, before an answer has begun.
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
    if (source.destroyConnection === undefined) controller.error(error)
    else source.destroyConnection()
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
    const late = new Error('export aborted: the client stopped reading')
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
    // Reads no rows before the client asks for them.
    { highWaterMark: 0 },
  )
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
