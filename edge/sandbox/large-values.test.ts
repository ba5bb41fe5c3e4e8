// Tests that a small campaign, which is evaluated where all tenants are served, takes less than the deadline of a sandbox
// also with the largest values that an event and a profile may have.

import { expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { compileCampaign } from '../campaign/compile.ts'
import type { RunStart } from '../campaign/compiled.ts'
import { parseDefinition } from '../campaign/definition.ts'
import { createLocalEvaluator } from '../campaign/evaluator.ts'
import { createSendPolicy } from '../campaign/send-policy.ts'
import { createIdSource } from '../lib/id.ts'
import { processorMs } from '../test/support/processor-time.ts'
import { DEADLINE_MS } from './child.ts'

const clock = { now: () => Date.UTC(2026, 5, 1, 12) }
const deps = { clock, ids: { run: createIdSource(clock), message: createIdSource(clock) } }
deps.ids.message.raise(2 ** 52)
const evaluator = createLocalEvaluator(deps)

const filled = (text: string) => text.repeat(LIMITS.stringBytes / text.length)
/** Of some 250 KB as JSON: texts that grow when they are escaped, many numbers, many keys. */
const VALUES: [string, Record<string, unknown>][] = [
  ['texts of marks', { s: filled('*'), t: filled('<'), u: filled('"'), v: filled('\n') }],
  ['texts of links', { s: filled('https://'), t: filled('www.a.'), u: filled('![x]'), v: filled('a@b.') }],
  ['numbers', { s: Array.from({ length: 60_000 }, (_, at) => at % 1000), t: 1, u: 1, v: 1 }],
  ['keys', { s: Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1])), t: 1, u: 1, v: 1 }],
  ['levels', { s: Array.from({ length: 8000 }, () => [[[[[[[[[[1]]]]]]]]]]), t: 1, u: 1, v: 1 }],
]

const p = (name: string) => `{{event.properties.${name}}}`
const inbox = (id: string, fields: object) => ({ id, type: 'inbox', title: 'T', ...fields })
const many = (count: number, stepOf: (id: string) => object) =>
  Array.from({ length: count }, (_, at) => stepOf(`s${at}`))
const branch = (when: string) => ({
  id: 'way',
  type: 'branch',
  branches: Array.from({ length: 4 }, (_, at) => ({ key: `b${at}`, when, steps: [inbox(`in${at}`, {})] })),
})
const [a, b] = ['event.properties.s', 'user.attributes.s']
const SMALL: [string, { where?: string; steps: object[] }][] = [
  [
    'Markdown',
    { steps: many(40, (id) => inbox(id, { title: p('s'), body: p('t') + p('u'), bodyFormat: 'markdown' })) },
  ],
  ['links', { steps: many(40, (id) => inbox(id, { link: p('s'), imageUrl: p('t'), icon: p('u'), entity: p('v') })) }],
  ['paths', { steps: many(40, (id) => inbox(id, { link: `https://a.example/${p('s')}/${p('t')}?${p('u')}` })) }],
  ['data', { steps: many(40, (id) => inbox(id, { data: { a: p('s'), b: [p('t'), p('u')], c: { d: p('v') } } })) }],
  ['many outputs', { steps: many(8, (id) => inbox(id, { body: `${p('s')}${p('v')}`.repeat(36) })) }],
  [
    'mails',
    {
      steps: many(20, (id) => ({
        ...{ id, type: 'email', subject: p('s') },
        html: `<p title="${p('t')}">${p('u')}</p><a href="https://a.example/${p('s')}">${p('v')}</a>`,
      })),
    },
  ],
  [
    'mails of Markdown',
    { steps: many(40, (id) => ({ id, type: 'email', subject: p('t'), markdown: `${p('s')}\n${p('u')}` })) },
  ],
  ['equal values', { where: `${a} == ${b} || ${a} != ${b}`, steps: [branch(`${a} == ${b} && ${b} != ${a}`)] }],
  [
    'searches',
    { where: `7777 in ${a} || true`, steps: [branch(`7777 in ${a} || "k" in ${a} || string(${a}).contains("zz")`)] },
  ],
  ['sizes', { where: `size(${a}) > -1`, steps: [branch(`${'size(event.properties.s) + '.repeat(40)}1 < 0`)] }],
  ['texts', { where: 'true', steps: [branch(`${a}.contains(event.properties.t + "a") || ${a}.split("")[0] == "q"`)] }],
]

function startOf({ where, steps }: { where?: string; steps: object[] }, values: Record<string, unknown>): RunStart {
  const definition = parseDefinition({
    key: 'small',
    name: 'Small',
    trigger: { event: 'e', ...(where && { where }) },
    steps,
  })
  const campaign = { id: 5, environmentId: 7, key: 'small', status: 'active', drains: false, resumedAt: null }
  const compiled = compileCampaign({
    campaign: campaign as RunStart['campaign']['campaign'],
    version: 1,
    definition,
  })
  // Otherwise the test shows nothing: a sandbox would evaluate it.
  expect(compiled.isPlain).toBe(true)
  const user = { id: 'u', email: 'u@a.example', name: null, locale: null, timeZone: null }
  return {
    environment: { id: 7, name: 'dev', isProduction: false },
    campaign: compiled,
    eventId: 9,
    event: { name: 'e', userId: 'u', properties: values, occurredAt: '2026-06-01T12:00:00.000Z' },
    user: { ...user, attributes: structuredClone(values) },
    policy: createSendPolicy(new Map(), undefined, 'UTC'),
    correlationId: 'c-1',
    isTest: false,
  } as RunStart
}

test.each(SMALL.flatMap(([what, definition]) => VALUES.map(([of, values]) => [what, of, definition, values] as const)))(
  '%s with %s',
  async (_what, _of, definition, values) => {
    const start = startOf(definition, values)
    expect(await processorMs(() => evaluator.begin(start))).toBeLessThan(DEADLINE_MS)
  },
)
