// Describes the table of notices.

import type { Notice, NoticeTopic } from '../../domain/notice.ts'
import { integer, json, table, textOf } from './table.ts'

export const NOTICE = table('notice', {
  number: integer(),
  at: integer(),
  topic: textOf<NoticeTopic>(),
  payload: json<Notice['payload']>(),
})
