// Lists the doubts of an environment, and dismisses them.

import type { DoubtAnswer } from '../../../contract/resources/doubt.ts'
import type { Core } from '../../domain/core.ts'
import type { DoubtFilter, KeptDoubt } from '../../domain/doubt.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import type { CountDoubts } from './count-doubts.ts'

export interface ManageDoubts {
  /** Newest first. */
  list(
    environmentId: number,
    query: DoubtFilter & { cursor?: string | undefined; limit: number },
  ): Promise<{ data: DoubtAnswer[]; nextCursor: string | null }>
  /** @throws ApiError `request/not-found` */
  dismiss(environmentId: number, id: string): Promise<{ deleted: true }>
}

export function createManageDoubts({
  doubts,
  countDoubts,
}: Pick<Core, 'doubts'> & {
  /** Absent beside a running server. */
  countDoubts?: Pick<CountDoubts, 'settle'>
}): ManageDoubts {
  return {
    async list(environmentId, { cursor, limit, ...filter }) {
      const name = { list: 'doubts', of: environmentId }
      const before = parseCursor(name, cursor)
      // A caller finds what this node has answered for, without waiting for the next write.
      await countDoubts?.settle()
      const found = await doubts.listPage(environmentId, filter, before, limit + 1)
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const isMore = found.length > limit && last !== undefined
      return { data: page.map(toAnswer), nextCursor: isMore ? encodeCursor(name, last.place) : null }
    },
    async dismiss(environmentId, id) {
      if (!(await doubts.dismiss(environmentId, id))) {
        throw new ApiError('request/not-found', { message: 'There is no doubt of this id in this environment.' })
      }
      return { deleted: true }
    },
  }
}

function toAnswer({ id, kind, subject, message, count, firstAt, lastAt, example }: KeptDoubt): DoubtAnswer {
  return { id, kind, subject, message, count, firstAt: toIso(firstAt), lastAt: toIso(lastAt), example }
}
