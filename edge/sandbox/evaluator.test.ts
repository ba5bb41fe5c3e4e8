// Tests that a campaign has the same results in a sandbox as at once, apart from its ids.

import { afterAll, expect, test } from 'vitest'
import { compileCampaign } from '../campaign/compile.ts'
import type { RunStart } from '../campaign/compiled.ts'
import { parseDefinition } from '../campaign/definition.ts'
import { createLocalEvaluator } from '../campaign/evaluator.ts'
import { TemplateError } from '../campaign/expression/template.ts'
import { createSendPolicy } from '../campaign/send-policy.ts'
import { createIdSource } from '../lib/id.ts'
import { withLazyJson } from '../lib/lazy-json.ts'
import { createLog } from '../lib/log.ts'
import { DEMO_CAMPAIGNS } from '../seed/campaigns.ts'
import { createEvaluator } from './evaluator.ts'
import { createSandbox, type Sandbox } from './sandbox.ts'

const clock = { now: () => Date.UTC(2026, 5, 1, 12) }
const deps = { clock, ids: { run: createIdSource(clock), message: createIdSource(clock) } }
// No message has the id of a run.
deps.ids.message.raise(2 ** 52)
const sandbox = createSandbox({ log: createLog('silent') })
const local = createLocalEvaluator(deps)
const sandboxed = createEvaluator(deps, sandbox)
afterAll(() => sandbox.close())

const EVERYTHING = {
  key: 'everything',
  name: 'Everything',
  category: 'orders',
  trigger: { event: 'order.shipped', where: 'event.properties.items.exists(i, i.price > 5)' },
  steps: [
    { id: 'limit', type: 'throttle', limit: 3, window: 'PT1H' },
    { id: 'gather', type: 'digest', window: 'PT1H', key: '{{ event.properties.shop | upcase }}' },
    {
      id: 'tell',
      type: 'inbox',
      title: 'Hello {{ user.name | default: "there" }}',
      body: '{% for one in events %}{{ one.properties.total }}, {% endfor %}',
      data: { total: '{{ event.properties.total | times: 2 }}' },
      locales: { de: { title: 'Hallo {{ user.name | default: "du" }}' } },
    },
    {
      id: 'size',
      type: 'branch',
      branches: [
        { key: 'big', when: 'event.properties.items.all(i, i.price > 5)', steps: [{ id: 'stop', type: 'exit' }] },
        { key: 'rest', else: true, steps: [{ id: 'wait', type: 'delay', for: 'PT1H' }] },
      ],
    },
    {
      id: 'ask',
      type: 'waitFor',
      event: 'order.paid',
      where: 'awaited.properties.items.exists(i, i == event.properties.total)',
      timeout: 'P1D',
      then: [{ id: 'thanks', type: 'inbox', title: 'Thanks {{ user.id | upcase }}' }],
      onTimeout: [{ id: 'mail', type: 'email', subject: '{{ "x" | append: "y" }}', markdown: '**{{ user.name }}**' }],
    },
  ],
}

function startOf(definition: unknown, properties: Record<string, unknown>): RunStart {
  const parsed = parseDefinition(definition)
  const campaign = { id: 5, environmentId: 7, key: parsed.key, status: 'active', drains: false, resumedAt: null }
  return {
    environment: { id: 7, name: 'dev', isProduction: false },
    campaign: compileCampaign({
      campaign: campaign as RunStart['campaign']['campaign'],
      version: 2,
      definition: parsed,
    }),
    eventId: 9,
    event: { name: parsed.trigger.event, userId: 'ada', properties, occurredAt: '2026-06-01T12:00:00.000Z' },
    user: {
      id: 'ada',
      email: 'ada@shop.example',
      name: 'Ada',
      locale: 'de-AT',
      timeZone: 'Europe/Vienna',
      attributes: {},
    },
    policy: createSendPolicy(new Map(), undefined, 'Europe/Vienna'),
    correlationId: 'c-1',
    isTest: false,
  }
}

/** Ids are replaced by the order in which they appear. */
function withoutIds(value: unknown): unknown {
  const places = new Map<number, number>()
  return JSON.parse(
    JSON.stringify(value, (key, one: unknown) => {
      if (key === 'runId' || (key === 'id' && typeof one === 'number')) {
        if (!places.has(one as number)) places.set(one as number, places.size)
        return `id ${places.get(one as number)}`
      }
      return key === 'durationMs' || key === 'tookMs' ? undefined : one
    }).replace(/\\"durationMs\\":\d+/g, '\\"durationMs\\":0'),
  )
}

const small = { total: 3, shop: 'north', items: [{ price: 9 }, { price: 1 }] }
const big = { total: 30, shop: 'north', items: [{ price: 9 }] }
const CASES: [string, unknown, Record<string, unknown>][] = [
  ['everything, small', EVERYTHING, small],
  ['everything, big', EVERYTHING, big],
  ['a trigger that does not hold', EVERYTHING, { ...big, items: [] }],
  ['a trigger that cannot be evaluated', EVERYTHING, {}],
  ...DEMO_CAMPAIGNS.map((campaign, at): [string, unknown, Record<string, unknown>] => [`demo ${at}`, campaign, small]),
]

test.each(CASES)('%s: begins and ends the same', async (_, definition, properties) => {
  const start = startOf(definition, properties)
  const there = { ...start, campaign: { ...start.campaign, isPlain: false } }
  expect(withoutIds(await sandboxed.begin(there))).toEqual(withoutIds(local.begin(start)))
  for (const ignoresTrigger of [true, false]) {
    const result = await sandboxed.dryRun({ ...there, isTest: true }, { ignoresTrigger })
    expect(withoutIds(result)).toEqual(withoutIds(local.dryRun({ ...start, isTest: true }, { ignoresTrigger })))
  }
})

test('a run continues the same, and arrivals are judged the same', async () => {
  const start = { ...startOf(EVERYTHING, small), isTest: true }
  const there = { ...start, campaign: { ...start.campaign, isPlain: false } }
  const wait = {
    ...{
      runId: 11,
      environmentId: 7,
      campaignId: 5,
      number: 1,
      stepId: 'ask',
      dueAt: clock.now() - 1,
      awaits: 'order.paid',
    },
    ...{
      runState: { branches: ['rest'] },
      attempts: 1,
      crashes: 0,
      fence: 1,
      wasParked: false,
      claimedAt: 0,
      stateChars: 0,
    },
  }
  const run = { id: 11, version: 2, trace: [] }
  const arrival = (items: number[]) => ({ eventId: 3, name: 'order.paid', properties: { items }, occurredAt: 1 })
  for (const arrivals of [[], [arrival([1])], [arrival([1]), arrival([3])]]) {
    const reason = local.judge({ wait, run, start, chars: 0 }, arrivals)
    expect(await sandboxed.judge({ wait, run, start: there, chars: 0 }, arrivals)).toEqual(reason)
    if (reason.by === 'none') continue
    const continued = await sandboxed.continueRun({ wait, run, start: there, chars: 0 }, reason)
    expect(withoutIds(continued)).toEqual(withoutIds(local.continueRun({ wait, run, start, chars: 0 }, reason)))
  }
  // One costly condition takes milliseconds, so many, and those of large states, do not stop the server.
  const plain = { ...start, campaign: { ...start.campaign, isPlain: true } }
  const isAtOnce = (count: number, chars: number) => {
    const judged = sandboxed.judge({ wait, run, start: plain, chars }, Array(count).fill(arrival([1])))
    return !(judged instanceof Promise)
  }
  expect([isAtOnce(2, 0), isAtOnce(3, 0), isAtOnce(1, 100_000)]).toEqual([true, false, false])
})

test('the costly runs of a plain campaign begin in a sandbox, with the same results', async () => {
  const same = (at: number) => `(event.properties.one == event.properties.other && event.properties.total == ${at})`
  const where = [101, 102, 103, 104].map(same).join(' || ')
  const steps = [{ id: 'tell', type: 'inbox', title: 'Hello' }]
  const plain = { key: 'costly', name: 'Costly', trigger: { event: 'order.shipped', where }, steps }
  const map = Object.fromEntries(Array.from({ length: 2400 }, (_, at) => [`key${at}`, at]))
  const start = startOf(plain, { one: map, other: { ...map }, total: 104 })
  expect(start.campaign.isPlain).toBe(true)
  const environment = { ...start.environment, id: 8 }
  const begun = Array.from({ length: 20 }, () => sandboxed.begin({ ...start, environment }))
  expect(begun[0]).not.toBeInstanceOf(Promise)
  expect(begun.at(-1)).toBeInstanceOf(Promise)
  expect(withoutIds(await begun.at(-1))).toEqual(withoutIds(begun[0]))
  expect(sandboxed.begin(start)).not.toBeInstanceOf(Promise)
})

test('many plain conditions that are evaluated for the first time are compiled in a sandbox, once some were compiled here', () => {
  const steps = [{ id: 'tell', type: 'inbox', title: 'Hello' }]
  const starts = Array.from({ length: 20 }, (_, at) => {
    const where = `${'event.properties.town == "Bern" || '.repeat(50)}event.properties.total == ${at}`
    return startOf({ key: `k${at}`, name: 'Long', trigger: { event: 'order.shipped', where }, steps }, { total: 1 })
  })
  const isAtOnce = (id: number, some = starts) =>
    some.map((start) => !(sandboxed.begin({ ...start, environment: { ...start.environment, id } }) instanceof Promise))
  const first = isAtOnce(9)
  expect([first[0], first.at(-1)]).toEqual([true, false])
  // Those that are compiled cost little.
  const compiled = starts.slice(0, first.indexOf(false))
  expect(isAtOnce(10, compiled)).toEqual(compiled.map(() => true))
})

test.each([
  ['few scopes of a plain condition', 1, 'size(event.properties.list) == 30000'],
  ['many scopes of a plain condition', 4, 'size(event.properties.list) == 30000'],
  ['a condition with a loop', 1, '[1].exists(x, x == 1) && size(event.properties.list) == 30000'],
])('large events cross as text, and are parsed only in the sandbox: %s', async (_, count, condition) => {
  const text = JSON.stringify({ list: Array.from({ length: 30_000 }, () => ({})) })
  const { event, user } = startOf(EVERYTHING, small)
  const { properties: _read, ...rest } = event
  const scopes = Array.from({ length: count }, () => {
    const large = withLazyJson<typeof rest, 'properties', Record<string, unknown>>({ ...rest }, 'properties', text)
    return { event: large, user, enriched: {}, chars: text.length }
  })
  const verdicts = await sandboxed.holds(7, condition, scopes)
  expect(verdicts.map(({ holds }) => holds)).toEqual(scopes.map(() => true))
  const isUnread = ({ event }: (typeof scopes)[number]) =>
    Object.getOwnPropertyDescriptor(event, 'properties')?.get !== undefined
  expect(scopes.every(isUnread)).toBe(true)
})

test('the duration of a step is measured in a sandbox too, for that step alone', async () => {
  const body = '{% for i in (1..4000) %}{% assign x = i | times: 2 | append: "x" | upcase %}{% endfor %}done'
  const steps = [
    { id: 'quick', type: 'inbox', title: 'Hello {{ user.name | upcase }}' },
    { id: 'slow', type: 'inbox', title: 'Done', body },
    { id: 'last', type: 'exit' },
  ]
  const definition = { key: 'slow', name: 'Slow', category: 'orders', trigger: { event: 'order.shipped' }, steps }
  const result = await sandboxed.dryRun({ ...startOf(definition, small), isTest: true }, { ignoresTrigger: true })
  if ('mismatch' in result) throw new Error(result.mismatch)
  const durations = result.trace.map(({ stepId, durationMs }) => [stepId, durationMs] as const)
  expect(durations).toEqual([
    ['quick', expect.any(Number)],
    ['slow', expect.any(Number)],
    ['last', expect.any(Number)],
  ])
  const [, slow] = durations[1] ?? ['', 0]
  const [, last] = durations[2] ?? ['', 0]
  expect(slow).toBeGreaterThan(0)
  expect(last).toBeLessThan(slow)
})

test('a definition whose check ends its process is refused as invalid, cut to what the check reads', async () => {
  const sent: unknown[] = []
  const ending: Sandbox = {
    run: (_tenantId, _does, input) => {
      sent.push(input)
      return Promise.reject(new TemplateError('The process that evaluated it took too long.'))
    },
    close() {},
  }
  const definition = { key: 'k', trigger: { event: 'e' }, steps: Array(10_000).fill({}) }
  await expect(createEvaluator(deps, ending).check(1, definition)).rejects.toMatchObject({
    code: 'campaign/invalid-definition',
  })
  expect(sent).toEqual([{ definition: { ...definition, steps: Array(201).fill({}) } }])
})
