// Implements `nc source deliveries`, `delivery` and `run`: what a source received, and its run with the mappings of today.

import type {
  KeptDeliveryAnswer,
  RunDeliveriesAnswer,
  SourceDeliveryAnswer,
} from '../../../contract/resources/source-delivery.ts'
import { DELIVERY_OUTCOMES } from '../../../contract/tenant.ts'
import { BODIES_KEPT_MS } from '../../domain/connector/delivery-body.ts'
import { toIso } from '../../lib/clock.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import { parseInstant } from '../read-instant.ts'
import { ENV, inEnvironment } from '../targets.ts'
import { pathOf, SOURCE } from './source.ts'

const TIME = 'time'
const OUTCOME: Flag = { value: DELIVERY_OUTCOMES.join('|'), meaning: 'Only deliveries with this outcome.' }

export const sourceDeliveryCommands: Command[] = [
  {
    noun: 'source',
    verb: 'deliveries',
    summary: 'Lists the last 200 deliveries to a source of 30 days, newest first, with what became of each.',
    flags: { env: ENV, source: SOURCE },
    async run(input, context) {
      const { list } = await inEnvironment(input, context)
      const data = await list<SourceDeliveryAnswer>(`${pathOf(input)}/deliveries`)
      const columns = ['Time', 'Delivery', 'Type', 'Outcome', 'Event', 'Reason']
      const rows = data.map(({ at, deliveryId, type, outcome, eventId, reason }) => {
        return [at, deliveryId, type, outcome, eventId, reason]
      })
      return { data, table: { columns, rows } }
    },
  },
  {
    noun: 'source',
    verb: 'delivery',
    summary: 'Shows a delivery with its headers and body as they came, which are kept for 7 days.',
    flags: {
      env: ENV,
      source: SOURCE,
      delivery: { value: 'id', meaning: "The platform's id, as source deliveries shows it.", required: true },
    },
    async run(input, context) {
      const path = `${pathOf(input)}/deliveries/${encodeURIComponent(input.text('delivery'))}`
      const data = await (await inEnvironment(input, context)).call<KeptDeliveryAnswer>('get', path)
      const head = [data.at, data.type ?? '–', data.outcome, data.eventId ?? '', data.reason ?? '']
      const headers = Object.entries(data.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
      const first = head.filter((text) => text !== '').join('  ')
      return { data, lines: [first, ...headers, '', data.body ?? 'Its body is kept no more.'] }
    },
  },
  {
    noun: 'source',
    verb: 'run',
    summary: 'Runs the deliveries of a time again with the mappings of today; source show has the progress.',
    flags: {
      env: ENV,
      source: SOURCE,
      from: { value: TIME, meaning: 'From then on: a day, or an instant with its offset. Default: 7 days ago.' },
      to: { value: TIME, meaning: 'Up to then. Default: now.' },
      outcome: OUTCOME,
    },
    async run(input, context) {
      const now = context.clock.now()
      const [from, to] = [input.find('from'), input.find('to')]
      const body = {
        from: toIso(from === undefined ? now - BODIES_KEPT_MS : parseInstant('from', from, 'T00:00:00Z')),
        to: toIso(to === undefined ? now : parseInstant('to', to, 'T23:59:59.999Z')),
        outcome: readOutcome(input),
      }
      const { call } = await inEnvironment(input, context)
      const data = await call<RunDeliveriesAnswer>('post', `${pathOf(input)}/deliveries/run`, { body })
      return { data, lines: [`${data.accepted} deliveries are run by the server. source show has the progress.`] }
    },
  },
]

function readOutcome(input: Input): (typeof DELIVERY_OUTCOMES)[number] | undefined {
  const given = input.find('outcome')
  const outcome = DELIVERY_OUTCOMES.find((one) => one === given)
  if (given !== undefined && outcome === undefined) {
    throw new UsageError(`--outcome is one of ${DELIVERY_OUTCOMES.join(', ')}.`)
  }
  return outcome
}
