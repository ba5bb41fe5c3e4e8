// Tests campaign definitions: what is accepted, and every fault with its path and position.

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ErrorDetail } from '../../contract/errors.ts'
import type { CampaignHead } from '../domain/campaign.ts'
import { ApiError } from '../lib/api-error.ts'
import { compileCampaign } from './compile.ts'
import { definitionSchema, parseDefinition } from './definition.ts'

const tell = { id: 'tell', type: 'inbox', title: 'Order {{ event.properties.orderId }}' }
const calm = { id: 'calm', type: 'throttle', limit: 2, window: 'PT1H' }
const good = { key: 'order-shipped', name: 'Order shipped', trigger: { event: 'order.shipped' }, steps: [tell] }

function faultsOf(input: unknown): ErrorDetail[] {
  try {
    parseDefinition(input)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'campaign/invalid-definition') return error.extra.details ?? []
    throw error
  }
  return []
}

const withSteps = (...steps: unknown[]) => ({ ...good, steps })
const withBranches = (...branches: unknown[]) => withSteps({ id: 'size', type: 'branch', branches })

describe('a definition', () => {
  test('gets its defaults', () => {
    expect(parseDefinition({ ...good, name: null, trigger: { event: 'a', where: null } })).toEqual({
      key: 'order-shipped',
      name: 'order-shipped',
      category: null,
      notificationConfigId: null,
      maxLateness: 'PT24H',
      trigger: { event: 'a' },
      steps: [tell],
    })
  })

  test('keeps all its fields', () => {
    const full = {
      ...good,
      category: 'orders',
      maxLateness: 'PT1H',
      trigger: { event: 'order.shipped', where: "event.properties.total > 100 && user.attributes.plan == 'pro'" },
      steps: [
        {
          ...tell,
          body: '**{{ event.name }}**',
          bodyFormat: 'markdown',
          link: '/orders/{{ event.properties.orderId }}',
          actions: [{ label: 'Track it', link: 'https://example.com', style: 'primary' }],
          icon: 'info',
          imageUrl: 'https://example.com/a.png',
          priority: 'high',
          entity: 'order:{{ event.properties.orderId }}',
          collapseKey: 'order',
          expiresAfter: 'P30D',
          data: { a: [1, { b: '{{ event.name }}' }], c: null },
          locales: { fr: { title: 'Commande', body: 'x' }, 'pt-BR': {} },
        },
        {
          id: 'size',
          type: 'branch',
          branches: [
            { key: 'big', when: 'event.properties.total > 500', steps: [{ id: 'out', type: 'exit', reason: 'big' }] },
            { key: 'a', weight: 50, steps: [] },
            { key: 'b', weight: 0.5, steps: [] },
            { key: 'rest', else: true, steps: [{ id: 'end', type: 'exit' }] },
          ],
        },
      ],
    }
    expect(parseDefinition(full)).toEqual({ ...full, notificationConfigId: null })
  })

  test('can be parsed again, so that a draft can be sent back', () => {
    const once = parseDefinition(good)
    expect(parseDefinition(JSON.parse(JSON.stringify(once)))).toEqual(once)
  })

  test('accepts null where a field is optional, and keeps it where null has a meaning', () => {
    const nothing = {
      link: null,
      icon: null,
      imageUrl: null,
      entity: null,
      collapseKey: null,
      expiresAfter: null,
    }
    const actions = [{ label: 'Later', link: null }]
    expect(parseDefinition(withSteps({ ...tell, ...nothing, actions })).steps).toEqual([
      { ...tell, ...nothing, actions },
    ])
    expect(
      faultsOf(withSteps({ ...tell, body: null, actions: null, data: null, locales: null, priority: null })),
    ).toEqual([])
  })
})

describe('an unknown field is refused', () => {
  test('in every object of a definition, each with its path', () => {
    const mail = { id: 'mail', type: 'email', subject: 'a', html: 'b', body: 'c', unless: { read: 'tell', by: 'x' } }
    const definition = {
      ...withSteps(
        { ...tell, cc: null, actions: [{ label: 'a', url: '/' }], locales: { fr: { subject: 'a' } } },
        { ...mail, constructor: 1 },
        { id: 'later', type: 'delay', for: 'PT1H', days: 2 },
        { id: 'fetch', type: 'enrich', enricher: 'profile', params: { any: { field: 1 } }, retries: 2 },
        {
          id: 'size',
          type: 'branch',
          branches: [{ key: 'rest', else: true, label: 'a', steps: [{ id: 'out', type: 'exit', because: 'b' }] }],
        },
        { id: 'wait', type: 'waitFor', event: 'a', timeout: 'PT1H', then: [{ ...calm, per: 'user' }], limit: 1 },
        { id: 'all', type: 'digest', window: 'PT1H', size: 5 },
      ),
      trigger: { event: 'a', filter: 'b' },
      description: 'c',
    }
    const message = 'There is no such field here.'
    const paths = faultsOf(definition).map((fault) => {
      expect(fault).toEqual({ path: fault.path, message })
      return fault.path
    })
    expect(paths.toSorted()).toEqual(
      [
        ...['description', 'trigger.filter', 'steps[0].cc', 'steps[0].actions[0].url', 'steps[0].locales.fr.subject'],
        ...['steps[1].body', 'steps[1].constructor', 'steps[1].unless.by', 'steps[2].days', 'steps[3].retries'],
        ...['steps[4].branches[0].label', 'steps[4].branches[0].steps[0].because', 'steps[5].limit'],
        ...['steps[5].then[0].per', 'steps[6].size'],
      ].toSorted(),
    )
  })

  test('only when it is saved: a version of an earlier release runs', () => {
    const definition = parseDefinition(good)
    const [step] = definition.steps
    const stored = { ...definition, note: 'old', steps: [{ ...step, cc: 'a@b.example' }] } as typeof definition
    const campaign: CampaignHead = {
      ...{ id: 1, environmentId: 1, key: 'a', name: 'a', category: null },
      ...{ status: 'active', drains: false, resumedAt: null },
    }
    expect(compileCampaign({ campaign, version: 1, definition: stored }).steps.map(({ id }) => id)).toEqual(['tell'])
    expect(faultsOf(stored).map(({ path }) => path)).toEqual(['steps[0].cc', 'note'])
  })

  test('also in objects that a later type of step adds', () => {
    const open: string[] = []
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return
      if ('properties' in value && !('additionalProperties' in value)) open.push(path)
      for (const [key, inner] of Object.entries(value)) visit(inner, `${path}/${key}`)
    }
    visit(z.toJSONSchema(definitionSchema, { io: 'input', unrepresentable: 'any' }), '')
    expect(open).toEqual([])
  })
})

describe('a fault has its path', () => {
  test.each<[string, unknown, string, number?]>([
    ['not an object', [], ''],
    ['no key', { ...good, key: undefined }, 'key'],
    ['a key of another type', { ...good, key: 5 }, 'key'],
    ['a key outside the grammar', { ...good, key: 'a/b' }, 'key'],
    ['an empty name', { ...good, name: ' ' }, 'name'],
    ['an invisible name', { ...good, name: '\u200b\u3164' }, 'name'],
    ['a bad lateness', { ...good, maxLateness: '1h' }, 'maxLateness'],
    ['no trigger', { ...good, trigger: undefined }, 'trigger'],
    ['a trigger of another type', { ...good, trigger: 'a' }, 'trigger'],
    ['no event', { ...good, trigger: {} }, 'trigger.event'],
    ['a bad event name', { ...good, trigger: { event: 'order..shipped' } }, 'trigger.event', 6],
    ['a bad condition', { ...good, trigger: { event: 'a', where: 'event.name == ' } }, 'trigger.where', 14],
    ['an unknown variable', { ...good, trigger: { event: 'a', where: 'true && foo' } }, 'trigger.where', 8],
    [
      'a constant that never works',
      { ...good, trigger: { event: 'a', where: 'true && timestamp(event.at).getHours("New York") > 8' } },
      'trigger.where',
      8,
    ],
    ['a condition of another type', { ...good, trigger: { event: 'a', where: true } }, 'trigger.where'],
    ['no steps', { ...good, steps: undefined }, 'steps'],
    ['steps that are no list', { ...good, steps: {} }, 'steps'],
    ['no step at all', { ...good, steps: [] }, 'steps'],
    ['a step that is no object', withSteps(tell, 'x'), 'steps[1]'],
    ['a step without id', withSteps({ ...tell, id: undefined }), 'steps[0].id'],
    ['a second step of an id', withSteps(tell, { ...tell }), 'steps[1].id'],
    ['no type', withSteps({ id: 'a' }), 'steps[0].type'],
    ['an unknown type', withSteps({ id: 'a', type: 'unknown' }), 'steps[0].type'],
    ['a type of the prototype', withSteps({ id: 'a', type: 'constructor' }), 'steps[0].type'],
    ['no title', withSteps({ id: 'a', type: 'inbox' }), 'steps[0].title'],
    ['an empty title', withSteps({ ...tell, title: '' }), 'steps[0].title'],
    ['a bad template', withSteps({ ...tell, title: 'Hi {{ event.name | shout }}' }), 'steps[0].title', 3],
    ['a bad body', withSteps({ ...tell, body: 'abc {% if %}' }), 'steps[0].body', 9],
    ['a bad body format', withSteps({ ...tell, bodyFormat: 'html' }), 'steps[0].bodyFormat'],
    ['a bad priority', withSteps({ ...tell, priority: 'top' }), 'steps[0].priority'],
    ['a bad duration', withSteps({ ...tell, expiresAfter: 'tomorrow' }), 'steps[0].expiresAfter'],
    ['no duration at all', withSteps({ ...tell, expiresAfter: 'PT0S' }), 'steps[0].expiresAfter'],
    ['an action without label', withSteps({ ...tell, actions: [{ link: '/' }] }), 'steps[0].actions[0].label'],
    [
      'an action of a bad style',
      withSteps({ ...tell, actions: [{ label: 'a', style: 'x' }] }),
      'steps[0].actions[0].style',
    ],
    ['a bad link template', withSteps({ ...tell, link: '{{ event.name' }), 'steps[0].link', 0],
    ['a bad template in data', withSteps({ ...tell, data: { a: [{ b: '{{ x | y }}' }] } }), 'steps[0].data.a[0].b', 0],
    ['data that is no object', withSteps({ ...tell, data: [] }), 'steps[0].data'],
    ['a bad locale', withSteps({ ...tell, locales: { '*': {} } }), 'steps[0].locales.*'],
    [
      'a bad template of a locale',
      withSteps({ ...tell, locales: { fr: { title: '{% x %}' } } }),
      'steps[0].locales.fr.title',
      0,
    ],
    ['a digest without window', withSteps({ id: 'a', type: 'digest' }), 'steps[0].window'],
    ['a digest of too many', withSteps({ id: 'a', type: 'digest', window: 'PT1H', max: 1001 }), 'steps[0].max'],
    ['a digest of none', withSteps({ id: 'a', type: 'digest', window: 'PT1H', max: 0 }), 'steps[0].max'],
    ['a bad key', withSteps({ id: 'a', type: 'digest', window: 'PT1H', key: '{{ x | y }}' }), 'steps[0].key', 0],
    ['a throttle without limit', withSteps({ id: 'a', type: 'throttle', window: 'PT1H' }), 'steps[0].limit'],
    ['a throttle of none', withSteps({ ...calm, limit: 0 }), 'steps[0].limit'],
    ['a throttle of a half', withSteps({ ...calm, limit: 1.5 }), 'steps[0].limit'],
    ['a limit of another type', withSteps({ ...calm, limit: '2' }), 'steps[0].limit'],
    ['a throttle without window', withSteps({ ...calm, window: undefined }), 'steps[0].window'],
    ['a window that is no duration', withSteps({ ...calm, window: '1h' }), 'steps[0].window'],
    ['a window of more than a year', withSteps({ ...calm, window: 'P366D' }), 'steps[0].window'],
    ['a branch step without branches', withSteps({ id: 'a', type: 'branch' }), 'steps[0].branches'],
    ['empty branches', withBranches(), 'steps[0].branches'],
    ['a branch without key', withBranches({ else: true, steps: [] }), 'steps[0].branches[0].key'],
    ['a branch key with a slash', withBranches({ key: 'a/b', else: true, steps: [] }), 'steps[0].branches[0].key'],
    [
      'a second branch of a key',
      withBranches({ key: 'a', weight: 1, steps: [] }, { key: 'a', else: true, steps: [] }),
      'steps[0].branches[1].key',
    ],
    ['a branch without its way', withBranches({ key: 'a', steps: [] }), 'steps[0].branches[0].when'],
    [
      'a branch of two ways',
      withBranches({ key: 'a', when: 'true', weight: 5, steps: [] }),
      'steps[0].branches[0].weight',
    ],
    [
      'two else',
      withBranches({ key: 'a', else: true, steps: [] }, { key: 'b', else: true, steps: [] }),
      'steps[0].branches[1].else',
    ],
    ['a bad when', withBranches({ key: 'a', when: '1 +', steps: [] }), 'steps[0].branches[0].when', 3],
    ['a weight below 0', withBranches({ key: 'a', weight: -1, steps: [] }), 'steps[0].branches[0].weight'],
    ['a weight too large', withBranches({ key: 'a', weight: 1001, steps: [] }), 'steps[0].branches[0].weight'],
    ['a weight of another type', withBranches({ key: 'a', weight: '5', steps: [] }), 'steps[0].branches[0].weight'],
    ['only weights of 0', withBranches({ key: 'a', weight: 0, steps: [] }), 'steps[0].branches[0].weight'],
    ['a branch without steps', withBranches({ key: 'a', else: true }), 'steps[0].branches[0].steps'],
    [
      'a fault deep down',
      withBranches({
        key: 'a',
        else: true,
        steps: [{ id: 'b', type: 'branch', branches: [{ key: 'c', when: 'x', steps: [] }] }],
      }),
      'steps[0].branches[0].steps[0].branches[0].when',
      0,
    ],
    [
      'an id used before, deep down',
      withSteps(tell, { id: 'b', type: 'branch', branches: [{ key: 'a', else: true, steps: [tell] }] }),
      'steps[1].branches[0].steps[0].id',
    ],
  ])('%s', (_name, input, path, position) => {
    const faults = faultsOf(input)
    expect(faults.map((fault) => fault.path)).toEqual([path])
    expect(faults[0]?.position).toBe(position)
    expect(faults[0]?.message).toMatch(/^[^\n]+\.?$/)
  })

  const mail = { id: 'mail', type: 'email', subject: 'Hello', markdown: 'x' }
  test.each<[string, object, string, number?]>([
    ['no subject', { subject: undefined }, 'subject'],
    ['an empty subject', { subject: ' ' }, 'subject'],
    ['an invisible subject', { subject: '\u2060' }, 'subject'],
    ['a bad subject', { subject: '{{ event.name | shout }}' }, 'subject', 0],
    ['neither html nor markdown', { markdown: undefined }, 'html'],
    ['html and markdown', { html: '<p>x</p>' }, 'markdown'],
    ['bad html', { markdown: undefined, html: '<p>{% if %}' }, 'html', 8],
    ['bad markdown', { markdown: '{{ x | y }}' }, 'markdown', 0],
    ['markdown that is no text', { markdown: 5 }, 'markdown'],
    ['a bad text', { text: '{{ x | y }}' }, 'text', 0],
    ['a bad preheader', { preheader: '{{ x | y }}' }, 'preheader', 0],
    ['unless that is no object', { unless: 'tell' }, 'unless'],
    ['unless without read', { unless: {} }, 'unless.read'],
    ['unless read of an unknown step', { unless: { read: 'told' } }, 'unless.read'],
    ['unless read of itself', { unless: { read: 'mail' } }, 'unless.read'],
    ['unless read of a step behind it', { unless: { read: 'later' } }, 'unless.read'],
    ['unless read of a step that is no inbox', { unless: { read: 'calm' } }, 'unless.read'],
  ])('a mail with %s', (_, wrong, key, position) => {
    const steps = [tell, calm, { ...mail, ...wrong }, { ...tell, id: 'later' }]
    const faults = faultsOf(withSteps(...steps))
    expect(faults.map((fault) => fault.path)).toEqual([`steps[2].${key}`])
    expect(faults[0]?.position).toBe(position)
  })

  test('a mail may refer to an inbox step before it, also one within a branch', () => {
    const inside = { key: 'a', else: true, steps: [{ ...tell, id: 'inside' }] }
    const steps = [
      { id: 'size', type: 'branch', branches: [inside] },
      { ...mail, unless: { read: 'inside' } },
    ]
    expect(faultsOf(withSteps(...steps))).toEqual([])
  })

  test.each([
    ['neither', {}, 'for'],
    ['two of them', { for: 'PT1H', until: '{{ event.properties.at }}' }, 'until'],
    ['no duration', { for: '1 hour' }, 'for'],
    ['a duration of nothing', { for: 'PT0S' }, 'for'],
    ['more than a year', { for: 'P367D' }, 'for'],
    ['a duration that is a number', { for: 5 }, 'for'],
    ['a bad template', { until: '{{ event.' }, 'until', 0],
    ['an empty time', { until: ' ' }, 'until'],
    ['a word for a time', { until: 'tomorrow' }, 'until'],
    ['a time without its offset', { until: '2026-05-01T12:00:00' }, 'until'],
    ['a day that its month lacks', { until: '2026-06-31' }, 'until'],
    ['a number that is no time', { until: 1e300 }, 'until'],
    ['a time that is no text', { until: true }, 'until'],
  ])('a delay with %s', (_name, fields, key, position?: number) => {
    const faults = faultsOf(withSteps(tell, { id: 'wait', type: 'delay', ...fields }))
    expect(faults.map((fault) => fault.path)).toEqual([`steps[1].${key}`])
    expect(faults[0]?.position).toBe(position)
  })

  const waitFor = { id: 'w', type: 'waitFor', event: 'order.placed', timeout: 'PT1H' }
  test.each<[string, object, string, number?]>([
    ['waits for no name', { ...waitFor, event: 'a..b' }, 'event', 2],
    ['waits without end', { ...waitFor, timeout: null }, 'timeout'],
    ['waits for more than a year', { ...waitFor, timeout: 'P2Y' }, 'timeout'],
    ['waits for a time that is none', { ...waitFor, where: 'timestamp("bad") > timestamp(0)' }, 'where', 0],
    ['waits with a bad condition', { ...waitFor, where: 'awaited.' }, 'where', 8],
    ['has a fault on one way', { ...waitFor, then: [{ id: 'x', type: 'inbox' }] }, 'then[0].title'],
    ['has a fault on the other', { ...waitFor, onTimeout: [{ ...tell, id: 'w' }] }, 'onTimeout[0].id'],
    ['asks nobody', { id: 'e', type: 'enrich' }, 'enricher'],
    ['asks by a bad name', { id: 'e', type: 'enrich', enricher: 'no name' }, 'enricher'],
    ['asks with a bad template', { id: 'e', type: 'enrich', enricher: 'a', params: { x: ['{{'] } }, 'params.x[0]', 0],
    ['goes on otherwise', { id: 'e', type: 'enrich', enricher: 'a', onError: 'retry' }, 'onError'],
  ])('a step that %s', (_name, step, key, position) => {
    const faults = faultsOf(withSteps(tell, step))
    expect(faults.map((fault) => fault.path)).toEqual([`steps[1].${key}`])
    expect(faults[0]?.position).toBe(position)
  })

  test('awaited is known from a waitFor on, and not before', () => {
    const awaits = "awaited.name == 'e'"
    const branch = (id: string) => ({ id, type: 'branch', branches: [{ key: 'a', when: awaits, steps: [] }] })
    const wait = { id: 'w', type: 'waitFor', event: 'e', timeout: 'PT1H', where: awaits, then: [branch('in')] }
    const known = withSteps(wait, branch('behind'))
    expect(faultsOf(known)).toEqual([])
    const message = 'awaited is known only after a waitFor.'
    const early = {
      ...withSteps(branch('early'), wait),
      trigger: { event: 'e', where: `event.name == 'e' && ${awaits}` },
    }
    expect(faultsOf(early)).toEqual([
      { path: 'trigger.where', message, position: 21 },
      { path: 'steps[0].branches[0].when', message, position: 0 },
    ])
  })

  test.each(['P366D', 'PT0.001S', 'P1Y', 'P2W'])('a delay for %s', (span) => {
    expect(faultsOf(withSteps({ id: 'wait', type: 'delay', for: span }))).toEqual([])
  })

  test('a second digest on one path of a run is a fault, digests in different branches are not', () => {
    const digest = (id: string) => ({ id, type: 'digest', window: 'PT1H' })
    const branch = (...ways: object[][]) => ({
      id: 'way',
      type: 'branch',
      branches: ways.map((steps, index) => ({ key: `b${index}`, weight: 1, steps })),
    })
    const waitFor = { id: 'w', type: 'waitFor', event: 'e', timeout: 'PT1H' }
    const pathsOf = (...steps: object[]) => faultsOf(withSteps(...steps)).map((fault) => fault.path)
    expect(pathsOf(digest('a'), tell, digest('b'))).toEqual(['steps[2].type'])
    expect(pathsOf(branch([tell], [digest('a')]), digest('b'))).toEqual(['steps[1].type'])
    expect(pathsOf(digest('a'), branch([tell], [digest('b')]))).toEqual(['steps[1].branches[1].steps[0].type'])
    expect(pathsOf(digest('a'), { ...waitFor, then: [], onTimeout: [digest('b')] })).toEqual([
      'steps[1].onTimeout[0].type',
    ])
    expect(pathsOf(branch([digest('a')], [digest('b')]))).toEqual([])
    expect(pathsOf({ ...waitFor, then: [digest('a')], onTimeout: [digest('b')] })).toEqual([])
  })

  test('all faults are reported at once', () => {
    const paths = faultsOf({
      name: 5,
      trigger: { event: '.', where: '(' },
      steps: [{ type: 'inbox' }, { id: 'b', type: 'x' }],
    }).map((fault) => fault.path)
    expect(paths).toEqual([
      'key',
      'name',
      'trigger.event',
      'trigger.where',
      'steps[0].id',
      'steps[0].title',
      'steps[1].type',
    ])
  })
})

describe('bounds', () => {
  const nest = (depth: number): unknown =>
    depth === 0
      ? tell
      : { id: `d${depth}`, type: 'branch', branches: [{ key: 'a', else: true, steps: [nest(depth - 1)] }] }

  test('the nesting of branches is limited', () => {
    expect(faultsOf(withSteps(nest(7)))).toEqual([])
    expect(faultsOf(withSteps(nest(8)))).toHaveLength(1)
    expect(faultsOf(withSteps(nest(500)))).toHaveLength(1)
  })

  test('steps are counted over the whole campaign', () => {
    const many = (count: number, from: string) =>
      Array.from({ length: count }, (_, i) => ({ ...tell, id: `${from}${i}` }))
    expect(faultsOf(withSteps(...many(200, 'a')))).toEqual([])
    expect(
      faultsOf(
        withSteps(...many(120, 'a'), {
          id: 'b',
          type: 'branch',
          branches: [{ key: 'a', else: true, steps: many(120, 'c') }],
        }),
      ),
    ).toHaveLength(1)
  })

  test('data is limited in depth and number', () => {
    const deep = Array.from({ length: 9 }).reduce<unknown>((inner) => ({ a: inner }), 1)
    expect(faultsOf(withSteps({ ...tell, data: { deep } }))).toHaveLength(1)
    expect(faultsOf(withSteps({ ...tell, data: { many: Array.from({ length: 1000 }, () => 'x') } }))).toHaveLength(1)
  })

  test('no answer lists more than 100 faults', () => {
    expect(faultsOf(withSteps(...Array.from({ length: 150 }, () => ({})))).length).toBeLessThanOrEqual(100)
  })
})
