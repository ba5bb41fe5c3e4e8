// Weighs a body before it is parsed: JSON of many small values takes twenty times its bytes.

/**
 * A value takes so many bytes of memory, and one with a name so many more: measured with Node 20 for lists of empty
 * objects, and of objects that share no name, the worst found.
 */
const VALUE_BYTES = 32
const NAME_BYTES = 48
/** A body counts no more, so that each one fits when it is alone. */
const MOST_BYTES = 48 * 1024 * 1024

const [COMMA, BRACE, BRACKET, COLON] = [0x2c, 0x7b, 0x5b, 0x3a]

/** Returns a function that adds a chunk, and returns the weight so far. Up to `freeBytes` nothing is counted. */
export function createBodyWeight(freeBytes: number): (chunk: Buffer) => number {
  let waiting: Buffer[] = []
  let size = 0
  let valueBytes = 0
  return (chunk) => {
    size += chunk.length
    waiting.push(chunk)
    if (size <= freeBytes) return size
    for (const one of waiting) valueBytes += weighValues(one)
    waiting = []
    return Math.min(size + valueBytes, Math.max(size, MOST_BYTES))
  }
}

/** Counts the marks that begin values and end names, and a few within texts. */
function weighValues(chunk: Buffer): number {
  let weight = 0
  for (let at = 0; at < chunk.length; at += 1) {
    const unit = chunk[at]
    if (unit === COMMA || unit === BRACE || unit === BRACKET) weight += VALUE_BYTES
    else if (unit === COLON) weight += NAME_BYTES
  }
  return weight
}
