// Adds a revision to a stored row, which rises by one with each change: a change is saved against the revision that was
// read.

export type Revised<T> = T & { revision: number }

/** What became of a change of a row whose name is unique: another row has the name, or it was changed since it was read. */
export type SavedName = 'saved' | 'taken' | 'changed'

/** Whether a caller takes a change of this revision. */
export type TakesRevision = (revision: number) => boolean

/**
 * Reports that two processes made the same id in one millisecond, and the other's row is stored; a retry gets another
 * id.
 */
export class IdTaken extends Error {}
