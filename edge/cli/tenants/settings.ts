// Implements `nc settings …`: the settings of an organisation, created once and changed from then on.

import type { OrganisationSettings } from '../../../contract/resources/organisation-settings.ts'
import { NC } from '../../lib/command-line.ts'
import { type Command, type Flag, type Input, type Outcome, UsageError } from '../command.ts'
import { getOrganisation, inOrganisation, ORG } from '../targets.ts'

const FIELDS: Record<string, Flag> = {
  'retention-days': { value: 'number', meaning: 'How long details are kept, 1 to 3650 days.' },
  locale: { value: 'tag', meaning: 'For users whose profile has none, such as en-GB.' },
  'time-zone': { value: 'zone', meaning: 'For users whose profile has none, such as Europe/London.' },
  contact: { value: 'address', meaning: 'An e-mail address; an empty text takes it away.' },
}

const YES: Flag = { meaning: 'Confirms fewer days than now: what is older goes for good.' }

export const settingsCommands: Command[] = [
  {
    noun: 'settings',
    verb: 'show',
    summary: 'Shows the settings of an organisation.',
    flags: { org: ORG },
    async run(input, context) {
      const { stores, changeOrganisation } = await context.tools()
      const settings = await changeOrganisation.findSettings((await getOrganisation(input, stores)).id)
      if (settings === undefined) throw new Error(`It has no settings yet. See: ${NC} settings create`)
      return shown(settings)
    },
  },
  {
    noun: 'settings',
    verb: 'create',
    summary: 'Creates the settings of an organisation, which can be done once.',
    flags: { org: ORG, ...FIELDS, yes: YES },
    async run(input, context) {
      const { stores, changeOrganisation } = await context.tools()
      const { id, retentionDays } = await getOrganisation(input, stores)
      const fields = readFields(input)
      if ((await changeOrganisation.findSettings(id)) === undefined) refuseFewerDays(input, fields, retentionDays)
      return shown(await (await inOrganisation(input, context)).call('post', '/settings', { body: fields }))
    },
  },
  {
    noun: 'settings',
    verb: 'change',
    summary: 'Changes the settings of an organisation; what is not given stays.',
    flags: { org: ORG, ...FIELDS, yes: YES },
    async run(input, context) {
      const { retentionDays } = await getOrganisation(input, (await context.tools()).stores)
      const fields = readFields(input)
      refuseFewerDays(input, fields, retentionDays)
      return shown(await (await inOrganisation(input, context)).call('put', '/settings', { body: fields }))
    },
  },
]

function refuseFewerDays(input: Input, fields: { retentionDays?: number }, retentionDays: number): void {
  if (fields.retentionDays === undefined || fields.retentionDays >= retentionDays || input.has('yes')) return
  throw new UsageError(`It keeps ${retentionDays} days now; what is older will go. Confirm with --yes.`)
}

function readFields(input: Input) {
  const [days, locale, timeZone] = (['retention-days', 'locale', 'time-zone'] as const).map((name) => input.find(name))
  const contact = input.find('contact')
  if (days !== undefined && !/^\d{1,4}$/.test(days)) throw new UsageError('--retention-days must be a whole number.')
  return {
    ...(days === undefined ? {} : { retentionDays: Number(days) }),
    ...(locale === undefined ? {} : { locale }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(contact === undefined ? {} : { contactEmail: contact === '' ? null : contact }),
  }
}

function shown(settings: OrganisationSettings): Outcome {
  const rows = [
    ['Retention days', settings.retentionDays],
    ['Locale', settings.locale],
    ['Time zone', settings.timeZone],
    ['Contact', settings.contactEmail],
  ]
  return { data: settings, table: { columns: ['Setting', 'Value'], rows } }
}
