// Loads a list page by page; further pages are added to the rows that are there.

import type { ReactiveControllerHost } from 'lit'
import type { Page } from '../../contract/api.ts'
import { Loader } from './loader.ts'

export interface LoadedList<Row> {
  rows: readonly Row[]
  /** Of the next page; undefined at the end. */
  cursor: string | undefined
}

/** Reads the page behind `cursor`, or the first one. */
export type ReadPage<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>

export class ListLoader<Row> extends Loader<LoadedList<Row>> {
  readonly #readPage: ReadPage<Row>
  #asked: string | undefined

  constructor(host: ReactiveControllerHost, readPage: ReadPage<Row>) {
    super(host)
    this.#readPage = readPage
  }

  /** Begins again at the first page. */
  readonly reload = (): void => {
    void this.#append([], undefined)
  }

  /** Begins again when something else is asked than before. @returns whether it does */
  reloadFor(asked: string): boolean {
    if (asked === this.#asked) return false
    this.#asked = asked
    this.reload()
    return true
  }

  /** Adds the next page. A failure keeps the rows, and is in `error`. */
  readonly loadMore = (): void => {
    if (this.value?.cursor !== undefined) void this.#append(this.value.rows, this.value.cursor)
  }

  #append(before: readonly Row[], cursor: string | undefined): Promise<unknown> {
    return this.load(
      async (signal) => {
        const { data, nextCursor } = await this.#readPage(cursor, signal)
        return { rows: [...before, ...data], cursor: nextCursor ?? undefined }
      },
      { quiet: cursor !== undefined },
    )
  }
}
