// Joins small inserts of a transaction whose results are not read into one statement. Each extra statement costs more
// than a few rows: a message, a snapshot and a context switch on both sides (docs/decisions/0007-postgres-batches.md).

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

/** Above this size a statement is sent, so that the server works while the next one is built. */
const MAX_BYTES = 64 * 1024
const MAX_TEXTS = 500
/** Joined statements, by the texts that they contain. */
const joinedTexts = new Map<string, string>()

/** Creates an empty group. */
export function createInsertGroup(): InsertGroup {
  let inserts: Insert[] = []
  let bytes = 0
  return {
    add(insert) {
      // The parts of one statement do not see each other's rows: two inserts into one table must not be joined.
      if (inserts.some(({ into }) => into === insert.into)) return false
      const insertBytes = insert.params.reduce((sum, { length }) => sum + length, 0)
      if (bytes + insertBytes > MAX_BYTES) return false
      inserts.push(insert)
      bytes += insertBytes
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
  let text = joinedTexts.get(key)
  if (text === undefined) {
    let before = 0
    const parts = inserts.map((insert) => {
      const from = before
      before += insert.params.length
      return insert.text.replace(/\$(\d+)/g, (_, number: string) => `$${from + Number(number)}`)
    })
    const last = parts.pop()
    text = `WITH ${parts.map((part, at) => `w${at} AS (${part})`).join(', ')} ${last}`
    if (joinedTexts.size >= MAX_TEXTS) joinedTexts.clear()
    joinedTexts.set(key, text)
  }
  return text
}
