// Implements `nc campaign preview|dry-run`: runs a draft with the code that sends, and writes nothing.

import type { TriedDoubts } from '../../../contract/resources/tried-doubt.ts'
import { ApiError } from '../../lib/api-error.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { readJson } from '../read-json.ts'
import { ENV } from '../targets.ts'
import { KEY, targetCampaign } from './campaign-state.ts'

const WITH: Flag = {
  value: 'path',
  meaning: 'A JSON file: { event: { properties, … }, user: { … } }, as the API takes it.',
}
const USER: Flag = {
  value: 'userId',
  meaning: 'A user whose profile counts; what the file says of the user goes before.',
}

export const campaignTrialCommands: Command[] = [
  {
    noun: 'campaign',
    verb: 'preview',
    summary: 'Shows the message of a step of the draft, rendered by the code that sends.',
    flags: {
      env: ENV,
      key: KEY,
      step: { value: 'id', meaning: 'The step, an inbox or email one.', required: true },
      user: USER,
      with: WITH,
    },
    async run(input, context) {
      const data = await tryIt<object>('preview', input, context, { stepId: input.text('step') })
      return { data, lines: [JSON.stringify(data, null, 2)] }
    },
  },
  {
    noun: 'campaign',
    verb: 'dry-run',
    summary: 'Reports whether an event would begin a run of the draft, and which steps it would take.',
    flags: { env: ENV, key: KEY, user: USER, with: WITH },
    async run(input, context) {
      const data = await tryIt<DryRun>('dry-run', input, context)
      const rows = data.steps.map(({ stepId, type, outcome, reason }) => [stepId, type, outcome, reason])
      const doubts = (data.doubts ?? []).map(({ message }) => message)
      const lines = data.matched ? ['A run begins.', ...doubts, ''] : [`No run begins: ${data.reason}.`, ...doubts]
      return data.matched
        ? { data, lines, table: { columns: ['Step', 'Type', 'Outcome', 'Why'], rows } }
        : { data, lines }
    },
  },
]

interface DryRun {
  doubts?: TriedDoubts
  matched: boolean
  reason: string | null
  steps: { stepId: string; type: string; outcome: string; reason: string | null }[]
}

async function tryIt<Answer>(
  verb: 'preview' | 'dry-run',
  input: Input,
  context: CommandContext,
  about: object = {},
): Promise<Answer> {
  const { path, call } = await targetCampaign(input, context)
  const file = input.find('with')
  const sample = file === undefined ? {} : readSample(file)
  const id = input.find('user')
  if (id !== undefined) {
    await call('get', `/users/${encodeURIComponent(id)}`).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.code !== 'user/not-found') throw error
      throw new Error(`There is no user ${id} in this environment.`)
    })
    sample.user = { id, ...sample.user }
  }
  const given = { query: { doubts: 'true' }, body: { ...sample, ...about } }
  return call<Answer>('post', `${path}/${verb}`, given).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'request/invalid-body') throw error
    throw new ApiError(error.code, { ...error.extra, message: `${file}: ${error.message}` })
  })
}

/** The route checks what is in it. */
function readSample(path: string): { user?: object } {
  const given = readJson(path)
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given
  throw new UsageError(`${path}: it must be an object.`)
}
