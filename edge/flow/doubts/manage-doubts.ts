// Lists the doubts of an environment, and dismisses them.

import type { DoubtAnswer } from '../../../contract/resources/doubt.ts'
import type { Core } from '../../domain/core.ts'
import type { DoubtFilter, KeptDoubt } from '../../domain/doubt.ts'
import type { Named, NameOf } from '../../domain/names.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { parseId } from '../../lib/id.ts'
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
  names,
  countDoubts,
}: Pick<Core, 'doubts' | 'names'> & {
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
      const nameOf = await names.find(page.flatMap(namedOf))
      return {
        data: page.map((one) => toAnswer(one, nameOf)),
        nextCursor: isMore ? encodeCursor(name, last.place) : null,
      }
    },
    async dismiss(environmentId, id) {
      if (!(await doubts.dismiss(environmentId, id))) {
        throw new ApiError('request/not-found', { message: 'There is no doubt of this id in this environment.' })
      }
      return { deleted: true }
    },
  }
}

/** An event is its name. */
function namedOf({ environmentId: scope, subject: { type, id } }: KeptDoubt): Named[] {
  if (type === 'user' || type === 'source') return [{ kind: type, scope, id }]
  const number = parseId(type === 'layout' ? 'notificationConfig' : 'campaign', id)
  return type === 'event' || number === undefined ? [] : [{ kind: type, scope, id: number }]
}

function toAnswer(doubt: KeptDoubt, nameOf: NameOf): DoubtAnswer {
  const { id, kind, message, count, firstAt, lastAt, example } = doubt
  const [named] = namedOf(doubt)
  const subjectName = named === undefined ? null : nameOf(named)
  return {
    id,
    kind,
    subject: doubt.subject,
    subjectName,
    message,
    count,
    firstAt: toIso(firstAt),
    lastAt: toIso(lastAt),
    example,
  }
}
