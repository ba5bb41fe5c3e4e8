// Implements `nc secret …`: rotation of the secrets of an environment.

import { SECRET_KINDS, type SecretKind } from '../../../contract/tenant.ts'
import type { RotationAnswer } from '../../flow/tenant/rotate-secret.ts'
import { type Command, type Flag, type Input, type Outcome, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { ENV, getEnvironment } from '../targets.ts'

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
      const { stores, rotateSecret } = await context.tools()
      const { id } = await getEnvironment(input, stores)
      return states(await Promise.all(SECRET_KINDS.map((kind) => rotateSecret.read(id, kind))))
    },
  },
  {
    noun: 'secret',
    verb: 'rotate',
    summary: 'Adds a new value and prints it once; the old one lives on through the overlap.',
    flags: { env: ENV, kind: KIND, overlap: OVERLAP },
    async run(input, context) {
      const { rotateSecret, environmentId, kind } = await target(input, context)
      return withValue(await rotateSecret.rotate(environmentId, kind, context.by, input.find('overlap')))
    },
  },
  {
    noun: 'secret',
    verb: 'extend',
    summary: 'Lets the old value of an overlap live longer.',
    flags: { env: ENV, kind: KIND, overlap: OVERLAP },
    async run(input, context) {
      const { rotateSecret, environmentId, kind } = await target(input, context)
      return states([await rotateSecret.extend(environmentId, kind, context.by, input.find('overlap'))])
    },
  },
  {
    noun: 'secret',
    verb: 'retire',
    summary: 'Ends the old value of an overlap now, with its sessions.',
    flags: { env: ENV, kind: KIND, yes: YES },
    async run(input, context) {
      const { rotateSecret, settleRetired, environmentId, kind } = await target(input, context)
      requireYes(input)
      const rotation = await rotateSecret.retire(environmentId, kind, context.by, true)
      await settleRetired()
      return states([rotation])
    },
  },
  {
    noun: 'secret',
    verb: 'emergency',
    summary: 'Ends every value now, and prints a new one once.',
    flags: { env: ENV, kind: KIND, yes: YES },
    async run(input, context) {
      const { rotateSecret, settleRetired, environmentId, kind } = await target(input, context)
      requireYes(input)
      const answer = await rotateSecret.emergency(environmentId, kind, context.by, true)
      await settleRetired()
      return withValue(answer)
    },
  },
  {
    noun: 'secret',
    verb: 'show',
    summary:
      'Prints the living values of an authSecretKey or webhookSigningSecret, which the audit log notes, or of a Front API Key.',
    flags: { env: ENV, kind: KIND },
    async run(input, context) {
      const { showSecret, environmentId, kind } = await target(input, context)
      const data = await showSecret(environmentId, kind, context.by)
      return { data, lines: data.values }
    },
  },
]

async function target(input: Input, context: CommandContext) {
  const kind = SECRET_KINDS.find((known) => known === input.text('kind'))
  if (kind === undefined) throw new UsageError(`--kind must be one of ${SECRET_KINDS.join(', ')}.`)
  const tools = await context.tools()
  const { id } = await getEnvironment(input, tools.stores)
  return { ...tools, environmentId: id, kind: kind as SecretKind }
}

function requireYes(input: Input): void {
  if (!input.has('yes')) throw new UsageError('What still uses an old value will be refused. Confirm with --yes.')
}

function states(rotations: RotationAnswer[]): Outcome {
  const columns = ['Secret', 'State', 'Current since', 'Last used', 'Old one ends', 'Old one last used']
  const rows = rotations.map(({ kind, state, current, previous }) => [
    kind,
    state,
    current.createdAt,
    current.lastUsedAt,
    previous?.retiresAt ?? null,
    previous?.lastUsedAt ?? null,
  ])
  return { data: rotations.length === 1 ? rotations[0] : rotations, table: { columns, rows } }
}

function withValue({ value, rotation }: { value: string; rotation: RotationAnswer }): Outcome {
  const lines = [`The new ${rotation.kind}, shown this once:`, value, '']
  return { ...states([rotation]), data: { value, rotation }, lines }
}
