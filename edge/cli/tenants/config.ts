// Implements `nc config …`: the notification configs of an organisation.

import type { ConfigAnswer } from '../../flow/tenant/notification-configs.ts'
import type { Command, Flag, Outcome } from '../command.ts'
import { listAll } from '../list-all.ts'
import { readJson } from '../read-json.ts'
import { getOrganisation, ORG } from '../targets.ts'

const CONFIG: Flag = { value: 'cfg_…', meaning: 'The notification config.', required: true }
const FROM: Flag = { value: 'path', meaning: 'A JSON file: name, categories, widget, email.', required: true }

export const configCommands: Command[] = [
  {
    noun: 'config',
    verb: 'list',
    summary: 'Lists the notification configs of an organisation.',
    flags: { org: ORG },
    async run(input, context) {
      const tools = await context.tools()
      const { id } = await getOrganisation(input, tools.stores)
      const data = await listAll((query) => tools.manageConfigs.list(id, query))
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
      const { stores, manageConfigs } = await context.tools()
      const { id } = await getOrganisation(input, stores)
      const data = await manageConfigs.get(id, input.text('config'))
      return { data, lines: [JSON.stringify(data, null, 2)] }
    },
  },
  {
    noun: 'config',
    verb: 'create',
    summary: 'Creates a notification config from a file.',
    flags: { org: ORG, from: FROM },
    async run(input, context) {
      const { stores, manageConfigs } = await context.tools()
      const { id } = await getOrganisation(input, stores)
      return done('Created', await manageConfigs.create(id, readJson(input.text('from')), context.by))
    },
  },
  {
    noun: 'config',
    verb: 'change',
    summary: 'Replaces a notification config with the content of a file.',
    flags: { org: ORG, config: CONFIG, from: FROM },
    async run(input, context) {
      const { stores, manageConfigs } = await context.tools()
      const { id } = await getOrganisation(input, stores)
      const content = readJson(input.text('from'))
      return done('Changed', await manageConfigs.put(id, input.text('config'), content, context.by))
    },
  },
  {
    noun: 'config',
    verb: 'delete',
    summary: 'Removes a notification config that no environment and no campaign names.',
    flags: { org: ORG, config: CONFIG },
    async run(input, context) {
      const { stores, manageConfigs } = await context.tools()
      const { id } = await getOrganisation(input, stores)
      const data = await manageConfigs.remove(id, input.text('config'), context.by)
      return { data, lines: [`Removed ${input.text('config')}.`] }
    },
  },
]

function done(word: string, config: ConfigAnswer): Outcome {
  return { data: config, lines: [`${word} ${config.id} (${config.name}).`] }
}
