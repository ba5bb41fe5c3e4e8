// Implements `nc enricher …`: the enrichers of an environment.

import { type EnricherAnswer, enricherName, enricherSettings } from '../../../contract/resources/enricher.ts'
import { check, findFaults } from '../../lib/check-schema.ts'
import { type Command, type Flag, type Input, type Outcome, UsageError } from '../command.ts'
import type { CommandContext } from '../command-context.ts'
import { listAll } from '../list-all.ts'
import { ENV, getEnvironment } from '../targets.ts'

const NAME: Flag = { value: 'name', meaning: 'The enricher.', required: true }

export const enricherCommands: Command[] = [
  {
    noun: 'enricher',
    verb: 'list',
    summary: 'Lists the enrichers of an environment.',
    flags: { env: ENV },
    async run(input, context) {
      const tools = await context.tools()
      const { id } = await getEnvironment(input, tools.stores)
      const data = await listAll((query) => tools.manageEnrichers.list(id, query))
      return { data, table: tableOf(data) }
    },
  },
  {
    noun: 'enricher',
    verb: 'put',
    summary: 'Adds an enricher, or replaces it as a whole.',
    flags: {
      env: ENV,
      name: NAME,
      url: { value: 'https://…', meaning: 'The address that is called, with ?name= added.', required: true },
      timeout: { value: 'ms', meaning: 'For one attempt. Default: 5000.' },
      cache: { value: 'seconds', meaning: 'How long a good answer is kept. Default: 0.' },
    },
    async run(input, context) {
      const { manageEnrichers, environmentId } = await target(input, context)
      const name = input.text('name')
      const given = {
        url: input.text('url'),
        timeoutMs: number(input, 'timeout'),
        cacheSeconds: number(input, 'cache'),
      }
      const settings = check(enricherSettings, given, 'request/invalid-body', findFaults(enricherName, name, 'name'))
      const data = await manageEnrichers.put(environmentId, name, settings, context.by)
      return { data, lines: [`${data.name} calls ${data.url}.`] }
    },
  },
  {
    noun: 'enricher',
    verb: 'delete',
    summary: 'Removes an enricher: steps that name it fail from here on.',
    flags: { env: ENV, name: NAME },
    async run(input, context): Promise<Outcome> {
      const { manageEnrichers, environmentId } = await target(input, context)
      const name = input.text('name')
      const data = await manageEnrichers.remove(environmentId, name, context.by)
      return { data, lines: [`${name} is gone.`] }
    },
  },
]

async function target(input: Input, context: CommandContext) {
  const { manageEnrichers, stores } = await context.tools()
  return { manageEnrichers, environmentId: (await getEnvironment(input, stores)).id }
}

function tableOf(enrichers: EnricherAnswer[]) {
  const rows = enrichers.map(({ name, url, timeoutMs, cacheSeconds }) => [name, url, timeoutMs, cacheSeconds])
  return { columns: ['Name', 'Address', 'Time-out (ms)', 'Cache (s)'], rows }
}

function number(input: Input, flag: string): number | undefined {
  const text = input.find(flag)
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${flag} must be a whole number.`)
  return Number(text)
}
