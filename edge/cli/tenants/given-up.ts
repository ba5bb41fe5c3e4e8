// Implements `nc given-up`, and `nc run|job|mail again` and `drop`: work that the server gave up.

import type { GivenUpAnswer } from '../../../contract/management-schemas.ts'
import { type Command, type Flag, type Input, type Outcome, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { ENV, getEnvironment } from '../targets.ts'

const PREFIXES = { run: 'run_', job: 'job_', mail: 'msg_' } as const
type Noun = keyof typeof PREFIXES

export const givenUpCommands: Command[] = [
  {
    noun: 'given-up',
    verb: 'list',
    summary: 'Lists the runs, jobs and mails that were given up last, with the reason.',
    flags: { env: { ...ENV, required: false } },
    async run(input, context) {
      const { stores, manageGivenUp } = await context.tools()
      const environment = input.has('env') ? await getEnvironment(input, stores) : null
      const data = await manageGivenUp.list(environment?.id ?? null)
      return { data, table: tableOf(data) }
    },
  },
  ...(Object.keys(PREFIXES) as Noun[]).flatMap((noun) => [
    change(noun, 'again', `Runs a ${noun} again that was given up, as if it had never been tried.`),
    change(noun, 'drop', `Removes a ${noun} that was given up from the list; it cannot run again.`),
  ]),
]

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
  const { stores, manageGivenUp } = await context.tools()
  const environment = await getEnvironment(input, stores)
  if (verb === 'again') await manageGivenUp.runAgain(environment.id, id, context.by)
  else await manageGivenUp.drop(environment.id, id, context.by)
  return { data: { id }, lines: [verb === 'again' ? `${id} runs again within seconds.` : `${id} is removed.`] }
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
