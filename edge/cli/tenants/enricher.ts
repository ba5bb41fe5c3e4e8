// Implements `nc enricher …`: the enrichers of an environment.

import type { EnricherAnswer, EnricherTrialAnswer } from '../../../contract/resources/enricher.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import { ENV, inEnvironment } from '../targets.ts'

const PATH = '/enrichers'
const NAME: Flag = { value: 'name', meaning: 'The enricher.', required: true }

export const enricherCommands: Command[] = [
  {
    noun: 'enricher',
    verb: 'list',
    summary: 'Lists the enrichers of an environment.',
    flags: { env: ENV },
    async run(input, context) {
      const data = await (await inEnvironment(input, context)).list<EnricherAnswer>(PATH)
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
      const timeoutMs = number(input, 'timeout')
      const cacheSeconds = number(input, 'cache')
      const body = { url: input.text('url'), timeoutMs, cacheSeconds }
      const data = await (await inEnvironment(input, context)).call<EnricherAnswer>('put', pathOf(input), { body })
      return { data, lines: [`${data.name} calls ${data.url}.`] }
    },
  },
  {
    noun: 'enricher',
    verb: 'test',
    summary: 'Calls an enricher now, without its cache and circuit breaker, and shows its answer.',
    flags: { env: ENV, name: NAME },
    async run(input, context) {
      const path = `${pathOf(input)}/test`
      const data = await (await inEnvironment(input, context)).call<EnricherTrialAnswer>('post', path, { body: {} })
      const { ok, error, attempts, durationMs } = data
      const result = ok ? JSON.stringify(data.data, null, 2) : `${error?.code}: ${error?.message}`
      return { data, lines: [result, `${attempts} attempts, ${Math.round(durationMs)} ms.`], failed: !ok }
    },
  },
  {
    noun: 'enricher',
    verb: 'delete',
    summary: 'Removes an enricher: steps that name it fail from here on.',
    flags: { env: ENV, name: NAME },
    async run(input, context) {
      const data = await (await inEnvironment(input, context)).call('delete', pathOf(input))
      return { data, lines: [`${input.text('name')} is gone.`] }
    },
  },
]

const pathOf = (input: Input) => `${PATH}/${encodeURIComponent(input.text('name'))}`

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
