// Reads the mailbox of an environment: the mails that are kept while no mail server is set.

import type { Page } from '../../../contract/api.ts'
import type { KeptMailAnswer, KeptMailDetailAnswer } from '../../../contract/resources/mail.ts'
import type { KeptMailHead, Mailbox } from '../../domain/mail/mailbox.ts'
import { ApiError } from '../../lib/api-error.ts'
import { toIso } from '../../lib/clock.ts'
import { encodeCursor, parseCursor } from '../../lib/cursor.ts'
import { formatId, parseId } from '../../lib/id.ts'

const listOf = (environmentId: number) => ({ list: 'mailbox', of: environmentId })

export type ReadMailbox = ReturnType<typeof createReadMailbox>

export function createReadMailbox(mailbox: Pick<Mailbox, 'list' | 'find'>) {
  return {
    /** Lists newest first. @throws `request/invalid-query` for a bad cursor */
    async list(
      environmentId: number,
      { cursor, limit }: { cursor?: string | undefined; limit: number },
    ): Promise<Page<KeptMailAnswer>> {
      const before = parseCursor(listOf(environmentId), cursor)
      const found = await mailbox.list(environmentId, before, limit + 1)
      const last = found.length > limit ? found[limit - 1] : undefined
      return {
        data: found.slice(0, limit).map(toAnswer),
        nextCursor: last === undefined ? null : encodeCursor(listOf(environmentId), last.messageId),
      }
    },
    /** @throws `message/not-found` */
    async get(environmentId: number, messageId: string): Promise<KeptMailDetailAnswer> {
      const id = parseId('message', messageId)
      const mail = id === undefined ? undefined : await mailbox.find(environmentId, id)
      if (mail === undefined) throw new ApiError('message/not-found')
      const { html, text, eml } = mail
      return { ...toAnswer(mail), html, text, eml }
    },
  }
}

function toAnswer({ messageId, from, to, subject, createdAt }: KeptMailHead): KeptMailAnswer {
  return { messageId: formatId('message', messageId), from, to, subject, createdAt: toIso(createdAt) }
}
