// Reads a request's body, bounded, where no framework has parsed it.

/** Far more than the largest envelope, which contains event and params twice, as JSON within JSON. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024

/** @returns undefined for a longer body, whose rest is not read */
export async function readBounded(chunks: AsyncIterable<unknown>): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    const part = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : (chunk as Uint8Array)
    bytes += part.byteLength
    if (bytes > MAX_BODY_BYTES) return undefined
    parts.push(part)
  }
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
