// Heads for handshakes: when thousands of sockets come back at once, all who come in one turn of the loop share a query.

import type { InboxHead } from '../../contract/api.ts'
import type { Inboxes } from '../domain/message.ts'

/** Users in one query. */
const SLICE = 500

interface Asked {
  userNo: number
  resolve(head: InboxHead): void
  reject(error: unknown): void
}

/** Throws when the store cannot be read. */
export function createHeadReader(inboxes: Pick<Inboxes, 'heads'>): (userNo: number) => Promise<InboxHead> {
  let asked: Asked[] = []

  async function answer(slice: Asked[]): Promise<void> {
    try {
      const heads = await inboxes.heads([...new Set(slice.map(({ userNo }) => userNo))])
      for (const { userNo, resolve, reject } of slice) {
        const head = heads.get(userNo)
        if (head === undefined) reject(new Error('A head was not read.'))
        else resolve(head)
      }
    } catch (error) {
      for (const { reject } of slice) reject(error)
    }
  }

  function flush(): void {
    const all = asked
    asked = []
    for (let at = 0; at < all.length; at += SLICE) void answer(all.slice(at, at + SLICE))
  }

  return (userNo) =>
    new Promise((resolve, reject) => {
      if (asked.length === 0) setImmediate(flush)
      asked.push({ userNo, resolve, reject })
    })
}
