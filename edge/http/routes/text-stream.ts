// Streams a text as an answer: reads the next portion when the client has received the one before.

/** A client that does not read for this long is disconnected, so that it does not keep a connection forever. */
const STALLED_MS = 60_000

export interface TextSource {
  /** The generator is ended early when the client disconnects. */
  portions: AsyncGenerator<string, void, undefined>
  /** Called when reading fails after the answer has begun, or when the client stops reading. */
  onFailure(error: unknown): void
  /** Closes the connection, so that the client notices an incomplete answer. Without it, the stream is aborted. */
  destroyConnection?: (() => void) | undefined
  /** Milliseconds without a read until the client is disconnected. For tests. */
  stalledMs?: number | undefined
}

/** @returns The stream. Rejects when the first portion cannot be read, before an answer has begun. */
export async function openText(source: TextSource): Promise<ReadableStream<Uint8Array>> {
  const { portions, stalledMs = STALLED_MS } = source
  const encoder = new TextEncoder()
  let stalled: NodeJS.Timeout | undefined
  let ready: IteratorResult<string, void> | undefined = await portions.next()

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
    if (done === true) return controller.close()
    if (value !== undefined && value !== '') controller.enqueue(encoder.encode(value))
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
    // Reads nothing before the client asks for it.
    { highWaterMark: 0 },
  )
}
