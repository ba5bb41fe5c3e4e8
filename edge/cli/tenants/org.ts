// Implements `nc org …`: organisations.

import { ONBOARDING_STEPS, type OnboardingStep } from '../../flow/tenant/read-organisation.ts'
import { formatId } from '../../lib/id.ts'
import type { Command } from '../command.ts'
import { getOrganisation, ORG } from '../targets.ts'

/** The command of each step of the onboarding. */
const COMMANDS: Record<OnboardingStep, string> = {
  region: 'org set-region',
  settings: 'settings create',
  environment: 'env create',
}

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
    summary:
      'Creates an organisation in the region of this deployment. Its onboarding is open until its first environment.',
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
    verb: 'onboarding',
    summary: 'Shows the steps of the onboarding: region, settings, first environment, which completes it.',
    flags: { org: ORG },
    async run(input, context) {
      const { stores, readOrganisation } = await context.tools()
      const { id, onboarding } = await readOrganisation((await getOrganisation(input, stores)).id)
      const { completed, completedAt, next, steps } = onboarding
      const rows = ONBOARDING_STEPS.map((step) => [step, steps[step] ? 'done' : 'open', COMMANDS[step]])
      const state = completed
        ? `The onboarding of ${id} is completed since ${completedAt}.`
        : `The onboarding of ${id} is open. Next: ${next ?? 'environment'}.`
      return { data: { id, ...onboarding }, lines: [state], table: { columns: ['Step', 'State', 'Command'], rows } }
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
