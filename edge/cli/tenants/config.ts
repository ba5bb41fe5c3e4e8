// Implements `nc config …`: the notification configs of an organisation.

import type { ConfigAnswer } from '../../../contract/resources/notification-config.ts'
import type { Command, Flag, Input, Outcome } from '../command.ts'
import { readJsonObject } from '../read-json.ts'
import { inOrganisation, ORG } from '../targets.ts'

const PATH = '/notification-configs'
const CONFIG: Flag = { value: 'cfg_…', meaning: 'The notification config.', required: true }
const FROM: Flag = { value: 'path', meaning: 'A JSON file: name, categories, widget, email.', required: true }

export const configCommands: Command[] = [
  {
    noun: 'config',
    verb: 'list',
    summary: 'Lists the notification configs of an organisation.',
    flags: { org: ORG },
    async run(input, context) {
      const data = await (await inOrganisation(input, context)).list<ConfigAnswer>(PATH)
      const rows = data.map((one) => [one.id, one.name, one.categories.map(({ key }) => key).join(' '), one.updatedAt])
      return { data, table: { columns: ['Id', 'Name', 'Categories', 'Changed'], rows } }
    },
  },
  {
    noun: 'config',
    verb: 'show',
    summary: 'Shows a notification config, in the form that create and change take.',
    flags: { org: ORG, config: CONFIG },
    async run(input, context) {
      const data = await (await inOrganisation(input, context)).call<ConfigAnswer>('get', pathOf(input))
      return { data, lines: [JSON.stringify(data, null, 2)] }
    },
  },
  {
    noun: 'config',
    verb: 'create',
    summary: 'Creates a notification config from a file.',
    flags: { org: ORG, from: FROM },
    async run(input, context) {
      const { call } = await inOrganisation(input, context)
      return done('Created', await call<ConfigAnswer>('post', PATH, { body: contentOf(input) }))
    },
  },
  {
    noun: 'config',
    verb: 'change',
    summary: 'Replaces a notification config with the content of a file.',
    flags: { org: ORG, config: CONFIG, from: FROM },
    async run(input, context) {
      const { call } = await inOrganisation(input, context)
      return done('Changed', await call<ConfigAnswer>('put', pathOf(input), { body: contentOf(input) }))
    },
  },
  {
    noun: 'config',
    verb: 'delete',
    summary: 'Removes a notification config that no environment and no campaign names.',
    flags: { org: ORG, config: CONFIG },
    async run(input, context) {
      const data = await (await inOrganisation(input, context)).call('delete', pathOf(input))
      return { data, lines: [`Removed ${input.text('config')}.`] }
    },
  },
]

const pathOf = (input: Input) => `${PATH}/${encodeURIComponent(input.text('config'))}`
const contentOf = (input: Input) => readJsonObject(input.text('from'))

function done(word: string, config: ConfigAnswer): Outcome {
  return { data: config, lines: [`${word} ${config.id} (${config.name}).`] }
}
