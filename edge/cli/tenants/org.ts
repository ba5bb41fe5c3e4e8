// `nc org …`: organisations (contract section 11).

import { formatId } from '../../lib/id.ts'
import type { Command } from '../command.ts'

const RETENTION_DAYS = 90

export const orgCommands: Command[] = [
  {
    noun: 'org',
    verb: 'list',
    summary: 'Lists the organisations.',
    async run(_, place) {
      const { stores } = await place.tools()
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
    flags: { name: { value: 'text', meaning: 'Its name.', required: true } },
    async run(input, place) {
      const { stores, ids, clock, region } = await place.tools()
      const at = clock.now()
      const name = input.text('name')
      const id = ids.organisation.next()
      await stores.organisations.create({
        id,
        name,
        region,
        onboardedAt: at,
        retentionDays: RETENTION_DAYS,
        createdAt: at,
      })
      const data = { id: formatId('organisation', id), name, region }
      const entry = { at, ...place.by, action: 'org.create', environmentId: null, subject: data.id, detail: { name } }
      await stores.audit.record(entry)
      return { data, lines: [`Created ${data.id} (${name}).`] }
    },
  },
]
