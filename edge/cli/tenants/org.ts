// Implements `nc org …`: organisations.

import { formatId } from '../../lib/id.ts'
import type { Command } from '../command.ts'
import { getOrganisation, ORG } from '../targets.ts'

export const orgCommands: Command[] = [
  {
    noun: 'org',
    verb: 'list',
    summary: 'Lists the organisations.',
    async run(_, context) {
      const { stores } = await context.tools()
      const data = (await stores.organisations.list()).map(({ id, name, region, retentionDays }) => ({
        id: formatId('organisation', id),
        name,
        region,
        retentionDays,
      }))
      const rows = data.map((one) => [one.id, one.name, one.region, one.retentionDays])
      return { data, table: { columns: ['Id', 'Name', 'Region', 'Retention days'], rows } }
    },
  },
  {
    noun: 'org',
    verb: 'create',
    summary: 'Creates an organisation in the region of this deployment.',
    flags: {
      name: { value: 'text', meaning: 'Its name.', required: true },
      'no-region': { meaning: 'Leaves the region open, to be set once later.' },
    },
    async run(input, context) {
      const { changeOrganisation, regions } = await context.tools()
      const chosen = input.has('no-region') ? null : regions.own
      const { id, name } = await changeOrganisation.create(input.text('name'), chosen, context.by)
      const data = { id: formatId('organisation', id), name, region: chosen }
      return { data, lines: [`Created ${data.id} (${name}).`] }
    },
  },
  {
    noun: 'org',
    verb: 'set-region',
    summary: 'Chooses the region of an organisation, once and for good.',
    flags: { org: ORG, region: { value: 'region', meaning: 'One that this deployment serves.', required: true } },
    async run(input, context) {
      const { stores, changeOrganisation } = await context.tools()
      const { id } = await getOrganisation(input, stores)
      const { region } = await changeOrganisation.setRegion(id, input.text('region'), context.by)
      const data = { id: formatId('organisation', id), region }
      return { data, lines: [`${data.id} is in ${region}.`] }
    },
  },
]
