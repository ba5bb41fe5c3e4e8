// Implements `nc env close` and `nc env open`, which end and begin all service of an environment.

import type { Environment } from '../../domain/environment.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { type Command, type Outcome, UsageError } from '../command.ts'
import { ENV, getEnvironment } from '../targets.ts'

const NODES_FOLLOW = 'Every node follows within a second.'

export const envClosingCommands: Command[] = [
  {
    noun: 'env',
    verb: 'close',
    summary: 'Answers all calls of an environment 503 with Retry-After, and rests its background work.',
    flags: {
      env: ENV,
      'moved-to': { value: 'url', meaning: 'The address of the deployment to which it moved, for its callers.' },
    },
    async run(input, context) {
      const { stores, closeEnvironment } = await context.tools()
      const { id } = await getEnvironment(input, stores)
      const movedTo = input.find('moved-to')
      if (movedTo !== undefined && !/^https?:\/\/\S{1,2000}$/.test(movedTo)) {
        throw new UsageError('--moved-to must be an address with https:// or http://.')
      }
      const closed = await closeEnvironment.close(id, context.by, 'operator', movedTo)
      return outcomeOf(closed, `Closed ${closed.name}. ${NODES_FOLLOW}`)
    },
  },
  {
    noun: 'env',
    verb: 'open',
    summary: 'Serves a closed environment again, with all that waited.',
    flags: {
      env: ENV,
      yes: { meaning: 'Opens it although it was exported: it must not be open in its new deployment.' },
    },
    async run(input, context) {
      const { stores, closeEnvironment } = await context.tools()
      const { id } = await getEnvironment(input, stores)
      const opened = await closeEnvironment.open(id, context.by, input.has('yes'))
      return outcomeOf(opened, `Opened ${opened.name}. ${NODES_FOLLOW}`)
    },
  },
]

function outcomeOf({ id, closedAt = null, movedTo = null }: Environment, line: string): Outcome {
  const data = { environment: formatId('environment', id), closedAt: toIso(closedAt), movedTo }
  return { data, lines: [line] }
}
