// Implements `nc retention …`: how long details are kept, and their removal now.

import { MAX_RETENTION_DAYS } from '../../../contract/resources/organisation-settings.ts'
import type { Organisation } from '../../domain/organisation.ts'
import { createPurgeExpired } from '../../flow/retention/purge-expired.ts'
import { createSetRetention } from '../../flow/tenant/change-organisation.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'
import { type Command, UsageError } from '../command.ts'
import type { CommandContext, Tools } from '../command-context.ts'
import { getOrganisation, ORG } from '../targets.ts'

const DAY_MS = 24 * 60 * 60 * 1000

export const retentionCommands: Command[] = [
  {
    noun: 'retention',
    verb: 'show',
    summary: 'Shows how many days details are kept, and from when the oldest ones are.',
    flags: { org: { ...ORG, required: false } },
    async run(input, context) {
      const tools = await context.tools()
      const all = input.has('org')
        ? [await getOrganisation(input, tools.stores)]
        : await tools.stores.organisations.list()
      const data = (await Promise.all(all.map((organisation) => agesOf(tools, organisation)))).flat()
      const rows = data.map((one) => [one.organisation, one.days, one.environment, one.oldestAt, one.overdueDays])
      const columns = ['Organisation', 'Days', 'Environment', 'Oldest detail', 'Days over']
      return { data, table: { columns, rows } }
    },
  },
  {
    noun: 'retention',
    verb: 'set',
    summary: 'Sets how many days an organisation keeps details; counters are kept for good.',
    flags: {
      org: ORG,
      days: { value: 'number', meaning: `Whole days, 1 to ${MAX_RETENTION_DAYS}.`, required: true },
      yes: { meaning: 'Confirms fewer days than now: what is older goes, and nothing brings it back.' },
    },
    async run(input, context) {
      const { stores, clock } = await context.tools()
      const organisation = await getOrganisation(input, stores)
      const days = /^\d{1,4}$/.test(input.text('days')) ? Number(input.text('days')) : 0
      if (days < 1 || days > MAX_RETENTION_DAYS) {
        throw new UsageError(`--days must be a whole number from 1 to ${MAX_RETENTION_DAYS}.`)
      }
      if (days < organisation.retentionDays && !input.has('yes')) {
        throw new UsageError(
          `It keeps ${organisation.retentionDays} days now; what is older than ${days} will go. Confirm with --yes.`,
        )
      }
      const subject = formatId('organisation', organisation.id)
      const detail = { from: organisation.retentionDays, days }
      const entry = {
        at: clock.now(),
        ...context.by,
        action: 'retention.set',
        environmentId: null,
        organisationId: organisation.id,
        subject,
        detail,
      }
      await createSetRetention({ retention: stores.retention })(organisation.id, days, entry)
      return { data: { organisation: subject, days }, lines: [`${subject} keeps ${days} days.`] }
    },
  },
  {
    noun: 'retention',
    verb: 'run',
    summary: 'Removes now what is older than kept, in small steps that leave a running server its turn.',
    async run(_, context) {
      const { stores, clock, sweepMailFiles } = await context.tools()
      const { organisations, environments } = stores
      const { rows, steps } = await createPurgeExpired({
        organisations,
        environments,
        // Running servers receive the changes of inboxes as notices.
        purgeStep: reporting(context, stores.retention.purgeStep),
        sweepMailFiles,
        clock,
      }).run()
      return { data: { rows, steps }, lines: [rows === 0 ? 'Nothing is old enough.' : `Removed ${rows} rows.`] }
    },
  },
]

const EVERY_ROWS = 10_000

/** Reports progress from time to time. */
function reporting(context: CommandContext, purgeStep: Tools['stores']['retention']['purgeStep']): typeof purgeStep {
  let removed = 0
  return async (environmentId, before) => {
    const step = await purgeStep(environmentId, before, true)
    const reported = Math.floor(removed / EVERY_ROWS)
    removed += step.rows
    if (Math.floor(removed / EVERY_ROWS) > reported) context.progress(`removed ${removed} rows`)
    return step
  }
}

async function agesOf({ stores, clock }: Tools, { id, retentionDays: days }: Organisation) {
  const organisation = formatId('organisation', id)
  const environments = await stores.environments.list(id)
  return Promise.all(
    environments.map(async (environment) => {
      const oldestAt = await stores.retention.findOldestAt(environment.id)
      const overdueMs = oldestAt === null ? 0 : clock.now() - oldestAt - days * DAY_MS
      return {
        organisation,
        days,
        environment: formatId('environment', environment.id),
        oldestAt: toIso(oldestAt),
        overdueDays: Math.max(0, Math.ceil(overdueMs / DAY_MS)),
      }
    }),
  )
}
