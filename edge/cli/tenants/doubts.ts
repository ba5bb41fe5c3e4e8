// Implements `nc doubts` and `nc doubt dismiss`: what was accepted and cannot have been meant.

import type { Page } from '../../../contract/api.ts'
import { DOUBT_KINDS, type DoubtKind } from '../../../contract/doubt.ts'
import type { DoubtAnswer } from '../../../contract/resources/doubt.ts'
import { type Command, UsageError } from '../command.ts'
import { ENV, inEnvironment } from '../targets.ts'

export const doubtCommands: Command[] = [
  {
    noun: 'doubts',
    summary: 'Lists what was accepted and cannot have been meant, newest first.',
    flags: { env: ENV, kind: { value: 'kind', meaning: `Only of this kind: ${DOUBT_KINDS.join(', ')}.` } },
    async run(input, context) {
      const query = { kind: input.has('kind') ? readKind(input.text('kind')) : undefined, limit: '100' }
      const { call } = await inEnvironment(input, context)
      const { data } = await call<Page<DoubtAnswer>>('get', '/doubts', { query })
      const columns = ['last', 'kind', 'about', 'count', 'message', 'example', 'id']
      const rows = data.map(({ id, lastAt, subject, count, message, example, ...one }) => {
        return [lastAt, one.kind, `${subject.type} ${subject.id}`, String(count), message, example, id]
      })
      return { data, table: { columns, rows } }
    },
  },
  {
    noun: 'doubt',
    verb: 'dismiss',
    summary: 'Dismisses a doubt; it comes back when it arises again.',
    flags: { env: ENV, doubt: { value: 'dbt_…', meaning: 'The doubt, as doubts shows it.', required: true } },
    async run(input, context) {
      const id = input.text('doubt')
      const { call } = await inEnvironment(input, context)
      return { data: await call('delete', `/doubts/${encodeURIComponent(id)}`), lines: [`${id} is dismissed.`] }
    },
  },
]

function readKind(text: string): DoubtKind {
  const kind = DOUBT_KINDS.find((one) => one === text)
  if (kind === undefined) throw new UsageError(`--kind must be one of ${DOUBT_KINDS.join(', ')}`)
  return kind
}
