// Implements `nc secret …`: rotation of the secrets of an environment.

import type { RotatedSecret, SecretRotation, SecretValues } from '../../../contract/resources/secret.ts'
import { SECRET_KINDS } from '../../../contract/tenant.ts'
import { type Command, type Flag, type Input, type Outcome, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { ENV, inEnvironment } from '../targets.ts'

const PATH = '/secrets'
const KIND: Flag = { value: 'kind', meaning: `One of ${SECRET_KINDS.join(', ')}.`, required: true }
const OVERLAP: Flag = {
  value: 'duration',
  meaning: 'How long the old value lives from now, PT1H to P7D. Default: PT24H.',
}
const YES: Flag = { meaning: 'Confirms it: what still uses an old value is refused from here on.' }

export const secretCommands: Command[] = [
  {
    noun: 'secret',
    verb: 'list',
    summary: 'Shows the rotation state of each secret, and when old values were last used.',
    flags: { env: ENV },
    async run(input, context) {
      const data = await (await inEnvironment(input, context)).list<SecretRotation>(PATH)
      return { data, ...tableOf(data) }
    },
  },
  {
    noun: 'secret',
    verb: 'rotate',
    summary: 'Adds a new value and prints it once; the old one lives on through the overlap.',
    flags: { env: ENV, kind: KIND, overlap: OVERLAP },
    async run(input, context) {
      return withValue(await step<RotatedSecret>(input, context, 'rotate', { overlap: input.find('overlap') }))
    },
  },
  {
    noun: 'secret',
    verb: 'extend',
    summary: 'Lets the old value of an overlap live longer.',
    flags: { env: ENV, kind: KIND, overlap: OVERLAP },
    async run(input, context) {
      return stateOf(await step<SecretRotation>(input, context, 'extend', { overlap: input.find('overlap') }))
    },
  },
  {
    noun: 'secret',
    verb: 'retire',
    summary: 'Ends the old value of an overlap now, with its sessions.',
    flags: { env: ENV, kind: KIND, yes: YES },
    async run(input, context) {
      requireYes(input)
      return stateOf(await step<SecretRotation>(input, context, 'retire', { confirm: true }))
    },
  },
  {
    noun: 'secret',
    verb: 'emergency',
    summary: 'Ends every value now, and prints a new one once.',
    flags: { env: ENV, kind: KIND, yes: YES },
    async run(input, context) {
      requireYes(input)
      return withValue(await step<RotatedSecret>(input, context, 'emergency', { confirm: true }))
    },
  },
  {
    noun: 'secret',
    verb: 'show',
    summary:
      'Prints the living values of an authSecretKey or webhookSigningSecret, which the audit log notes, or of a Front API Key.',
    flags: { env: ENV, kind: KIND },
    async run(input, context) {
      const { kind, values } = await step<SecretValues>(input, context, 'show')
      return { data: { kind, values }, lines: values }
    },
  },
]

async function step<Answer>(input: Input, context: CommandContext, verb: string, body?: object): Promise<Answer> {
  const kind = SECRET_KINDS.find((known) => known === input.text('kind'))
  if (kind === undefined) throw new UsageError(`--kind must be one of ${SECRET_KINDS.join(', ')}.`)
  const { call } = await inEnvironment(input, context)
  return call<Answer>('post', `${PATH}/${kind}/${verb}`, body && { body })
}

function requireYes(input: Input): void {
  if (!input.has('yes')) throw new UsageError('What still uses an old value will be refused. Confirm with --yes.')
}

const stateOf = (rotation: SecretRotation): Outcome => ({ data: rotation, ...tableOf([rotation]) })

function tableOf(rotations: SecretRotation[]): Pick<Outcome, 'table'> {
  const columns = ['Secret', 'State', 'Current since', 'Last used', 'Old one ends', 'Old one last used']
  const rows = rotations.map(({ kind, state, current, previous }) => [
    kind,
    state,
    current.createdAt,
    current.lastUsedAt,
    previous?.retiresAt ?? null,
    previous?.lastUsedAt ?? null,
  ])
  return { table: { columns, rows } }
}

function withValue({ value, kind, state, until, current, previous }: RotatedSecret): Outcome {
  const rotation = { kind, state, until, current, previous }
  const lines = [`The new ${kind}, shown this once:`, value, '']
  return { ...stateOf(rotation), data: { value, rotation }, lines }
}
