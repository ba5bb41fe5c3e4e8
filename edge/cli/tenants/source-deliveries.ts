// Implements `nc source deliveries`, `delivery` and `run`: what a source received, and its run with the mappings of today.

import { BODIES_KEPT_MS } from '../../domain/connector/delivery-body.ts'
import { DELIVERY_OUTCOMES } from '../../domain/connector/source.ts'
import { correlationIdOf } from '../../lib/correlation.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import { parseInstant } from '../read-instant.ts'
import { ENV } from '../targets.ts'
import { SOURCE, target } from './source.ts'

const TIME = 'time'
const OUTCOME: Flag = { value: DELIVERY_OUTCOMES.join('|'), meaning: 'Only deliveries with this outcome.' }

export const sourceDeliveryCommands: Command[] = [
  {
    noun: 'source',
    verb: 'deliveries',
    summary: 'Lists the last 200 deliveries to a source of 30 days, newest first, with what became of each.',
    flags: { env: ENV, source: SOURCE },
    async run(input, context) {
      const { manageSources, environmentId, id } = await target(input, context)
      const { data } = await manageSources.listDeliveries(environmentId, id)
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
      const { readDelivery, environmentId, id } = await target(input, context)
      const data = await readDelivery(environmentId, id, input.text('delivery'))
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
      const query = {
        from: from === undefined ? now - BODIES_KEPT_MS : parseInstant('from', from, 'T00:00:00Z'),
        to: to === undefined ? now : parseInstant('to', to, 'T23:59:59.999Z'),
        outcome: readOutcome(input),
      }
      const { beginRun, environmentId, id } = await target(input, context)
      const accepted = await beginRun(environmentId, id, query, correlationIdOf(undefined), context.by)
      return {
        data: { accepted },
        lines: [`${accepted} deliveries are run by the server. source show has the progress.`],
      }
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
