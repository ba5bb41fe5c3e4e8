// Implements `nc source …`: the sources of an environment, to which platforms deliver.

import type {
  CreatedSourceAnswer,
  SignatureTrialAnswer,
  SourceAnswer,
  SourceTrialAnswer,
  TriedItem,
} from '../../../contract/resources/source.ts'
import type { RotatedSourceSecret } from '../../../contract/resources/source-secret.ts'
import { RECIPE_NAMES, sourceOfRecipe } from '../../../contract/source-recipes.ts'
import { CONNECTOR_PLATFORMS } from '../../../contract/tenant.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import { readJson, readJsonObject, readText } from '../read-json.ts'
import { ENV, inEnvironment } from '../targets.ts'

const PATH = '/sources'
export const SOURCE: Flag = { value: 'src_…', meaning: 'The source, as source list shows it.', required: true }
// In a file, because arguments are seen by other accounts and kept in the history of the shell.
const SECRET_FILE: Flag = {
  value: 'path',
  meaning: 'A file with the secret that the platform dictates; - reads standard input. Default: a new one.',
}

const FROM: Flag = {
  value: 'path',
  meaning: 'A JSON file: name, settings, mappings, requireV3, allowUnsignedBatchTail.',
  required: true,
}

export const sourceCommands: Command[] = [
  {
    noun: 'source',
    verb: 'list',
    summary: 'Lists the sources of an environment, to which platforms deliver.',
    flags: { env: ENV },
    async run(input, context) {
      const data = await (await inEnvironment(input, context)).list<SourceAnswer>(PATH)
      return { data, table: tableOf(data) }
    },
  },
  {
    noun: 'source',
    verb: 'create',
    summary: 'Adds a source with the usual mappings of its platform, and prints its address, and its secret this once.',
    flags: {
      env: ENV,
      name: { value: 'text', meaning: 'Its name.', required: true },
      provider: { value: CONNECTOR_PLATFORMS.join('|'), meaning: 'The platform.' },
      recipe: { value: RECIPE_NAMES.join('|'), meaning: 'A sender whose settings are known, in place of --provider.' },
      settings: {
        value: 'path',
        meaning: 'A JSON file: settings of hmac, mappings, requireV3, allowUnsignedBatchTail.',
      },
      'secret-file': SECRET_FILE,
    },
    async run(input, context) {
      const chosen = readChoice(input)
      const body = { ...chosen, name: input.text('name'), ...readSecret(input) }
      const data = await (await inEnvironment(input, context)).call<CreatedSourceAnswer>('post', PATH, { body })
      const lines = [`${data.name} is ${data.id}.`, `Address: ${data.url}`]
      return { data, lines: [...lines, `Webhook Signing Secret, shown this once: ${data.verificationSecret}`] }
    },
  },
  {
    noun: 'source',
    verb: 'show',
    summary: 'Shows a source with its state, its counts and its mappings.',
    flags: { env: ENV, source: SOURCE },
    async run(input, context) {
      const data = await (await inEnvironment(input, context)).call<SourceAnswer>('get', pathOf(input))
      return { data, lines: [JSON.stringify(data, null, 2)] }
    },
  },
  {
    noun: 'source',
    verb: 'change',
    summary: 'Changes the name, the mappings and the checks that a file names; the others stay.',
    flags: { env: ENV, source: SOURCE, from: FROM },
    async run(input, context) {
      const body = readJsonObject(input.text('from'))
      const data = await (await inEnvironment(input, context)).call<SourceAnswer>('put', pathOf(input), { body })
      return { data, lines: [`Changed ${data.id} (${data.name}).`] }
    },
  },
  {
    noun: 'source',
    verb: 'try',
    summary: 'Shows what a payload becomes with the mappings of a source, or with those of a file; writes nothing.',
    flags: {
      env: ENV,
      source: SOURCE,
      payload: { value: 'path', meaning: 'A JSON file with the body of a delivery.', required: true },
      from: { ...FROM, meaning: 'A JSON file with mappings. Default: those of the source.', required: false },
    },
    async run(input, context) {
      const { call } = await inEnvironment(input, context)
      const { provider, mappings } = await call<SourceAnswer>('get', pathOf(input))
      const from = input.find('from')
      const given = from === undefined ? { mappings } : readJsonObject(from)
      const body = { provider, mappings: given.mappings, payload: readJson(input.text('payload')) }
      const data = await call<SourceTrialAnswer>('post', `${PATH}/try`, { body })
      return { data, table: tableOfTried(data.items) }
    },
  },
  {
    noun: 'source',
    verb: 'try-signature',
    summary:
      'Shows both signatures of a request, of hmac and standardwebhooks, and what is signed; writes nothing but the audit log.',
    flags: {
      env: ENV,
      source: SOURCE,
      request: {
        value: 'path',
        meaning: 'A file with headers, an empty line and the body as it came; - reads standard input.',
        required: true,
      },
      settings: { value: 'path', meaning: 'A JSON file with settings of hmac that are not saved yet.' },
    },
    async run(input, context) {
      const request = readText(input.text('request'))
      const from = input.find('settings')
      const body = { request, ...(from !== undefined && { settings: readHmacSettings(from) }) }
      const { call } = await inEnvironment(input, context)
      const data = await call<SignatureTrialAnswer>('post', `${pathOf(input)}/try-signature`, { body })
      const verdict = data.ok ? 'It would be taken.' : `It would be refused. ${data.reason}`
      const lines = [verdict, `Expected: ${data.expected ?? '–'}`, `Received: ${data.received.join(' ') || '–'}`]
      return { data, lines: [...lines, 'Signed:', data.signedString ?? '–'], failed: !data.ok }
    },
  },
  turn('pause', 'Drops deliveries to a source, and answers them 200.'),
  turn('resume', 'Takes deliveries to a paused source again.'),
  {
    noun: 'source',
    verb: 'rotate',
    summary:
      'Adds a value of the secret and prints it once; the old one lives on through the overlap, or ends with --emergency.',
    flags: {
      env: ENV,
      source: SOURCE,
      overlap: { value: 'duration', meaning: 'How long the old value lives from now, PT1H to P7D. Default: PT24H.' },
      'secret-file': SECRET_FILE,
      emergency: { meaning: 'Ends every other value now.' },
      yes: { meaning: 'Confirms --emergency: deliveries signed with an old value are refused from here on.' },
    },
    async run(input, context) {
      const isEmergency = input.has('emergency')
      if (isEmergency && !input.has('yes')) {
        throw new UsageError('Deliveries signed with an old value will be refused. Confirm with --yes.')
      }
      const secret = readSecret(input)
      const [verb, more] = isEmergency
        ? ['emergency', { confirm: true }]
        : ['rotate', { overlap: input.find('overlap') }]
      const { call } = await inEnvironment(input, context)
      const path = `${pathOf(input)}/${verb}`
      const data = await call<RotatedSourceSecret>('post', path, { body: { ...secret, ...more } })
      const until = data.until === null ? 'Every other value has ended.' : `The old value ends at ${data.until}.`
      return { data, lines: ['The new Webhook Signing Secret, shown this once:', data.verificationSecret, until] }
    },
  },
  {
    noun: 'source',
    verb: 'delete',
    summary: 'Removes a source; its address answers 404 from then on.',
    flags: { env: ENV, source: SOURCE },
    async run(input, context) {
      const data = await (await inEnvironment(input, context)).call('delete', pathOf(input))
      return { data, lines: ['Removed.'] }
    },
  },
]

export const pathOf = (input: Input) => `${PATH}/${encodeURIComponent(input.text('source'))}`

/** The provider and its settings, of a recipe or as they are given; a file wins over a recipe. */
function readChoice(input: Input): Record<string, unknown> {
  const [name, provider, from] = [input.find('recipe'), input.find('provider'), input.find('settings')]
  if ((name === undefined) === (provider === undefined)) throw new UsageError('Give --provider or --recipe.')
  const known = RECIPE_NAMES.find((one) => one === name)
  if (name !== undefined && known === undefined) throw new UsageError(`--recipe is one of ${RECIPE_NAMES.join(', ')}.`)
  const recipe = known === undefined ? { provider } : sourceOfRecipe(known)
  return { ...recipe, ...(from !== undefined && readSettings(from)) }
}

const SETTINGS = ['settings', 'mappings', 'requireV3', 'allowUnsignedBatchTail']

/** Another field would vanish. */
function readSettings(path: string): Record<string, unknown> {
  const given = readJsonObject(path)
  const unknown = Object.keys(given).find((name) => !SETTINGS.includes(name))
  if (unknown === undefined) return given
  throw new UsageError(`${path} has the field ${unknown}. It may have ${SETTINGS.join(', ')}.`)
}

/** Of such a file, or the settings of hmac alone. */
function readHmacSettings(path: string): unknown {
  const given = readJsonObject(path)
  return 'settings' in given ? given.settings : given
}

function readSecret(input: Input): { verificationSecret?: string } {
  const path = input.find('secret-file')
  return path === undefined ? {} : { verificationSecret: readText(path).trim() }
}

function turn(verb: 'pause' | 'resume', summary: string): Command {
  return {
    noun: 'source',
    verb,
    summary,
    flags: { env: ENV, source: SOURCE },
    async run(input, context) {
      const path = `${pathOf(input)}/${verb}`
      const data = await (await inEnvironment(input, context)).call<SourceAnswer>('post', path)
      return { data, lines: [`${data.name} is ${data.status}.`] }
    },
  }
}

function tableOfTried(items: TriedItem[]) {
  const rows = items.map(({ deliveryId, type, name, userId, reason }) => [deliveryId, type, name, userId, reason])
  return { columns: ['Delivery', 'Type', 'Event', 'User', 'Reason'], rows }
}

function tableOf(sources: SourceAnswer[]) {
  const rows = sources.map(({ id, name, provider, status, counts, lastReceivedAt, lastError }) => [
    id,
    name,
    provider,
    status,
    counts.accepted,
    lastReceivedAt,
    lastError,
  ])
  return { columns: ['Id', 'Name', 'Platform', 'State', 'Accepted', 'Last received', 'Last fault'], rows }
}
