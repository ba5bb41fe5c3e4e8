// Implements `nc org …`: organisations.

import {
  newOrganisation,
  ONBOARDING_STEPS,
  type OnboardingStep,
  type OrganisationAnswer,
} from '../../../contract/resources/organisation.ts'
import { check } from '../../lib/check-schema.ts'
import { formatId } from '../../lib/id.ts'
import type { Command } from '../command.ts'
import { inOrganisation, ORG } from '../targets.ts'

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
      // No route lists all organisations: people have those that they belong to.
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
      const { name } = check(newOrganisation, { name: input.text('name') }, 'request/invalid-body')
      const { changeOrganisation, regions } = await context.tools()
      const region = input.has('no-region') ? null : regions.own
      // By the route, whoever creates an organisation becomes its owner.
      const { id } = await changeOrganisation.create(name, region, context.by)
      const data = { id: formatId('organisation', id), name, region }
      return { data, lines: [`Created ${data.id} (${name}).`] }
    },
  },
  {
    noun: 'org',
    verb: 'onboarding',
    summary: 'Shows the steps of the onboarding: region, settings, first environment, which completes it.',
    flags: { org: ORG },
    async run(input, context) {
      const { call } = await inOrganisation(input, context)
      const { id, onboarding } = await call<OrganisationAnswer>('get', '')
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
      const { call } = await inOrganisation(input, context)
      const body = { region: input.text('region') }
      const data = await call<OrganisationAnswer>('post', '/region', { body })
      return { data, lines: [`${data.id} is in ${data.region}.`] }
    },
  },
]
