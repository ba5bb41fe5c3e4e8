// Reads one answer or all pages of a list by HTTP.

import { setTimeout } from 'node:timers/promises'
import type { Page } from '../../../contract/api.ts'
import type { RawClient } from './raw-client.ts'

export interface PageReader {
  /**
   * Reads one answer. Repeats the call while the answer is 503, for at most 20 s.
   * `key`: an SDK key or a session token. @throws when the status is not 200
   */
  read<T>(path: string, key: string): Promise<T>
  /** `path` may have a query of its own. */
  readAll<T>(path: string, key: string): Promise<T[]>
}

const RETRY_FOR_MS = 20_000

export function createPageReader(client: RawClient, url: string): PageReader {
  const read = async <T>(path: string, key: string): Promise<T> => {
    const until = performance.now() + RETRY_FOR_MS
    let { status, body } = await client.ask(url, 'GET', path, { key })
    while (status === 503 && performance.now() < until) {
      await setTimeout(100)
      ;({ status, body } = await client.ask(url, 'GET', path, { key }))
    }
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    return body as T
  }
  const readAll = async <T>(path: string, key: string): Promise<T[]> => {
    const all: T[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const position: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page: Page<T> = await read<Page<T>>(`${path}${path.includes('?') ? '&' : '?'}limit=100${position}`, key)
      all.push(...page.data)
      cursor = page.nextCursor
    }
    return all
  }
  return { read, readAll }
}
