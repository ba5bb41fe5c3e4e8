// Reads the title of a message from the beginning of its stored content, which may be long.

/** The most that a list shows, in characters. */
const MAX_TITLE_CHARS = 200
/** The title comes first. An escaped character takes six; one more tells that the title is longer. */
const READ_CHARS = '{"title":"'.length + 6 * (MAX_TITLE_CHARS + 1)

/** Of `message m`. */
export const TITLE_COLUMN = `SUBSTR(m.snapshot, 1, ${READ_CHARS}) AS "contentBeginning"`

const TITLE = /^\{"title":"((?:[^"\\]|\\u[0-9a-f]{4}|\\[^u])*)/

/** @returns At most 200 characters; null for an empty title, of a message that was not rendered. */
export function titleOf(contentBeginning: string): string | null {
  const [, written] = TITLE.exec(contentBeginning) ?? []
  if (written === undefined || written === '') return null
  const chars = [...(JSON.parse(`"${written}"`) as string)]
  return chars.length > MAX_TITLE_CHARS ? `${chars.slice(0, MAX_TITLE_CHARS - 1).join('')}…` : chars.join('')
}
