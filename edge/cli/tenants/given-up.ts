// Implements `nc given-up`, and `nc run|job|mail again` and `drop`: work that the server gave up.

import type { GivenUpAnswer, GivenUpChangeAnswer } from '../../../contract/resources/given-up.ts'
import { type Command, type Flag, type Input, type Outcome, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { ENV, inEnvironment } from '../targets.ts'

const PATH = '/given-up'
const PREFIXES = { run: 'run_', job: 'job_', mail: 'msg_' } as const
type Noun = keyof typeof PREFIXES

export const givenUpCommands: Command[] = [
  {
    noun: 'given-up',
    verb: 'list',
    summary: 'Lists the runs, jobs and mails that were given up last, with the reason.',
    flags: { env: { ...ENV, required: false } },
    async run(input, context) {
      const data = await listGivenUp(input, context)
      return { data, table: tableOf(data) }
    },
  },
  ...(Object.keys(PREFIXES) as Noun[]).flatMap((noun) => [
    change(noun, 'again', `Runs a ${noun} again that was given up, as if it had never been tried.`),
    change(noun, 'drop', `Removes a ${noun} that was given up from the list; it cannot run again.`),
  ]),
]

async function listGivenUp(input: Input, context: CommandContext): Promise<GivenUpAnswer[]> {
  if (input.has('env')) return (await inEnvironment(input, context)).list<GivenUpAnswer>(PATH)
  // No route lists what was given up in all environments.
  return (await context.tools()).manageGivenUp.list(null)
}

function change(noun: Noun, verb: 'again' | 'drop', summary: string): Command {
  const id: Flag = { value: `${PREFIXES[noun]}…`, meaning: `The ${noun}, as given-up list shows it.`, required: true }
  return {
    noun,
    verb,
    summary,
    flags: { env: ENV, [noun]: id },
    run: (input, context) => perform(noun, verb, input, context),
  }
}

async function perform(noun: Noun, verb: 'again' | 'drop', input: Input, context: CommandContext): Promise<Outcome> {
  const id = input.text(noun)
  if (!id.startsWith(PREFIXES[noun])) throw new UsageError(`--${noun} must be an id of the form ${PREFIXES[noun]}…`)
  const path = `${PATH}/${encodeURIComponent(id)}/${verb === 'again' ? 'run' : 'drop'}`
  const data = await (await inEnvironment(input, context)).call<GivenUpChangeAnswer>('post', path)
  return { data, lines: [verb === 'again' ? `${id} runs again within seconds.` : `${id} is removed.`] }
}

function tableOf(all: GivenUpAnswer[]) {
  return {
    columns: ['given up', 'id', 'environment', 'what', 'campaign', 'user', 'reason'],
    rows: all.map((one) => [
      one.givenUpAt,
      one.id,
      one.environmentId,
      one.what,
      one.campaignKey,
      one.userId,
      one.reason,
    ]),
  }
}
