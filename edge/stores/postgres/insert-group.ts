// Joins small inserts of a transaction whose results nobody reads into one statement. Each extra statement costs a
// message, a snapshot and a wake-up on both sides: more than a few rows cost
// (docs/decisions/0007-postgres-batches.md).

/** One insert with parameters numbered from 1. */
export interface Insert {
  into: string
  text: string
  params: string[]
}

export interface InsertGroup {
  /** Adds an insert; returns false when it must be sent alone, after the joined ones. */
  add(insert: Insert): boolean
  /** Returns all inserts added since the last call as one statement; undefined when there are none. */
  take(): Pick<Insert, 'text' | 'params'> | undefined
}

/** Above this size the server should start to work while the next statement is built. */
const MOST_BYTES = 64 * 1024
const KEPT_TEXTS = 500
/** Joined statements by the texts they consist of. */
const together = new Map<string, string>()

export function createInsertGroup(): InsertGroup {
  let inserts: Insert[] = []
  let bytes = 0
  return {
    add(insert) {
      // The parts of one statement do not see each other's rows: two inserts into one table must not be joined.
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

/** Builds `WITH a AS (INSERT …), b AS (INSERT …) INSERT …` and renumbers the parameters. */
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
