// Small inserts of a transaction whose answers nobody reads, gathered into one statement: each statement more costs a message, a
// snapshot and a wake-up on both sides, which for a few rows is more than the rows (decision 0213).

/** One insert, its parameters numbered from 1. */
export interface Insert {
  /** The table. */
  into: string
  text: string
  params: string[]
}

export interface InsertGroup {
  /** False where it must be sent by itself, behind those that are gathered. */
  add(insert: Insert): boolean
  /** All that was gathered since the last time, as one statement; undefined when there is nothing. */
  take(): Pick<Insert, 'text' | 'params'> | undefined
}

/** With more text than this the server had better begin with it while the next one is written. */
const MOST_BYTES = 64 * 1024
const KEPT_TEXTS = 500
/** By the texts that they are made of. */
const together = new Map<string, string>()

export function createInsertGroup(): InsertGroup {
  let inserts: Insert[] = []
  let bytes = 0
  return {
    add(insert) {
      // The parts of one statement see nothing of each other: two on one table would not meet.
      if (inserts.some(({ into }) => into === insert.into)) return false
      const weight = insert.params.reduce((sum, { length }) => sum + length, 0)
      if (bytes + weight > MOST_BYTES) return false
      inserts.push(insert)
      bytes += weight
      return true
    },
    take() {
      const [only, ...others] = inserts
      if (only === undefined) return undefined
      const taken = inserts
      inserts = []
      bytes = 0
      if (others.length === 0) return only
      return { text: joinTexts(taken), params: taken.flatMap(({ params }) => params) }
    },
  }
}

/** `WITH a AS (INSERT …), b AS (INSERT …) INSERT …`, the parameters numbered through. */
function joinTexts(inserts: Insert[]): string {
  const key = inserts.map(({ text }) => text).join('\n')
  let text = together.get(key)
  if (text === undefined) {
    let before = 0
    const parts = inserts.map((insert) => {
      const from = before
      before += insert.params.length
      return insert.text.replace(/\$(\d+)/g, (_, number: string) => `$${from + Number(number)}`)
    })
    const last = parts.pop()
    text = `WITH ${parts.map((part, at) => `w${at} AS (${part})`).join(', ')} ${last}`
    if (together.size >= KEPT_TEXTS) together.clear()
    together.set(key, text)
  }
  return text
}
