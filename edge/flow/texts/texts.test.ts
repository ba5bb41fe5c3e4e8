// Tests texts of an environment and campaigns: what is refused, what is missing, and what a published version keeps.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createCheckTexts } from '../../sandbox/check-texts.ts'
import { type GivenFlow, givenFlow, messageCampaign } from '../../test/support/given-flow.ts'
import { oneSandbox } from '../../test/support/one-sandbox.ts'
import { processorMs } from '../../test/support/processor-time.ts'
import { createManageTexts, type ManageTexts } from './manage-texts.ts'

const BY = { actor: 'api', who: 'sec_1' } as const
const ALL = { limit: 100 }
let flow: GivenFlow
let texts: ManageTexts
let id: number
beforeEach(async () => {
  flow = await givenFlow()
  id = flow.environment.id
  const { stores, clock } = flow
  texts = createManageTexts({ ...stores, checkTexts: createCheckTexts(oneSandbox()), clock, async endChanged() {} })
})
afterEach(async () => flow.close())

const campaign = (title: string, more: object[] = []) => ({
  ...messageCampaign('a', 'e'),
  steps: [...more, { id: 'tell', type: 'inbox', title }],
})
const details = (path: string, message: string) => ({
  extra: {
    details: expect.arrayContaining([expect.objectContaining({ path, message: expect.stringContaining(message) })]),
  },
})

describe('translations', () => {
  test('are kept by their tag, with nested keys joined', async () => {
    const saved = await texts.translations.put(
      id,
      'de_at',
      { order: { shipped: 'Los', __proto__: { a: 'b' } }, 'x.y': 'z' },
      BY,
    )
    expect(saved).toMatchObject({ locale: 'de-AT', messages: { 'order.shipped': 'Los', 'x.y': 'z' } })
    expect(await texts.translations.get(id, 'DE-at')).toEqual(saved)
    await expect(texts.translations.get(id + 1, 'de-AT')).rejects.toMatchObject({ code: 'text/not-found' })
    expect(await texts.translations.remove(id, 'de-AT', BY)).toEqual({ deleted: true })
    await expect(texts.translations.remove(id, 'de-AT', BY)).rejects.toMatchObject({ code: 'text/not-found' })
  })

  test('with keys of JavaScript are kept as they are', async () => {
    const written = JSON.parse('{ "__proto__": "a", "constructor": "b", "toString": { "x": "c" } }') as unknown
    const { messages } = await texts.translations.put(id, 'de', written, BY)
    expect(Object.entries(messages)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['toString.x', 'c'],
    ])
  })

  test.each([
    ['zz-nonsense-x', { a: 'b' }, 'locale', 'no locale'],
    ['english', { a: 'b' }, 'locale', 'no locale'],
    ['de', { a: { b: 3 } }, 'a.b', 'a message or an object'],
    ['de', { a: ['b'] }, 'a', 'a message or an object'],
    ['de', { a: { b: 'x' }, 'a.b': 'y' }, 'a.b', 'Another message'],
    ['de', { '': 'x' }, '', 'at least one character'],
    ['de', { a: '{n, plural, one {x}}' }, 'a', 'no ICU message'],
    ['de', { ['k'.repeat(257)]: 'x' }, `${'k'.repeat(100)}…`, 'at most 256'],
    ['de', { a: 'x'.repeat(5000) }, 'a', 'at most 4096'],
    ['de', Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [`k${at}`, 'x'])), '', 'at most 5000'],
  ] as [string, unknown, string, string][])('of %s are refused, case %$', async (locale, input, path, message) => {
    await expect(texts.translations.put(id, locale, input, BY)).rejects.toMatchObject(details(path, message))
  })

  test('are listed with what each lacks of the default locale', async () => {
    await texts.translations.put(id, 'en', { a: '1', b: '2', c: '3' }, BY)
    flow.clock.at += 1
    await texts.translations.put(id, 'de', { a: '1' }, BY)
    flow.clock.at += 1
    await texts.translations.put(id, 'de-AT', { b: '2' }, BY)
    flow.clock.at += 1
    await texts.translations.put(id, 'en', { a: '1', b: '2', c: '3' }, BY)
    const { data } = await texts.translations.list(id, ALL)
    expect(data.map(({ locale, isDefault, keys, missing }) => [locale, isDefault, keys, missing])).toEqual([
      ['de-AT', false, 1, ['c']],
      ['de', false, 1, ['b', 'c']],
      ['en', true, 3, []],
    ])
    const page = await texts.translations.list(id, { limit: 2 })
    const rest = await texts.translations.list(id, { limit: 2, cursor: page.nextCursor ?? '' })
    expect([page.data.length, rest.data.map(({ locale }) => locale), rest.nextCursor]).toEqual([2, ['en'], null])
  })

  test('of a whole environment have a limit', async () => {
    const half = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, 'x'.repeat(4000)]))
    await texts.translations.put(id, 'de', half, BY)
    await expect(texts.translations.put(id, 'fr', half, BY)).rejects.toMatchObject(
      details('', 'texts of an environment'),
    )
    await texts.translations.put(id, 'de', half, BY)
  })
})

describe('snippets', () => {
  const put = (name: string, source: string) => texts.snippets.put(id, name, { source }, BY)

  test('are kept by their name', async () => {
    const saved = await put('footer', 'Bye\u0000 {{ user.name }}')
    expect(saved).toMatchObject({ name: 'footer', source: 'Bye\u0000 {{ user.name }}' })
    expect(await texts.snippets.get(id, 'footer')).toEqual(saved)
    expect((await texts.snippets.list(id, ALL)).data).toMatchObject([{ name: 'footer', chars: 20 }])
    await texts.snippets.remove(id, 'footer', BY)
    await expect(texts.snippets.get(id, 'footer')).rejects.toMatchObject({ code: 'text/not-found' })
  })

  test.each([
    ['a', '{{ x', 'source', 'not closed'],
    ['a', '{% layout "x" %}', 'source', 'does not exist'],
    ['a', '<a {{ user.name }}>', 'source', 'stands in a tag'],
    ['a', '<a title="', 'source', 'ends in the text'],
    ['a', '{% render "gone" %}', 'source', 'There is no snippet gone'],
    ['a', '{% render "a" %}', 'source', 'render each other: a, a'],
  ])('%s is refused, case %$', async (name, source, path, message) => {
    await expect(put(name, source)).rejects.toMatchObject(details(path, message))
  })

  test('that render each other, or nest too deep, are refused', async () => {
    await put('s1', 'x')
    for (let at = 2; at <= 8; at++) await put(`s${at}`, `{% render 's${at - 1}' %}{% render 's${at - 1}' %}`)
    await expect(put('s1', "{% render 's8' %}")).rejects.toMatchObject(details('source', 'render each other: s1, s8'))
    await expect(put('s9', "{% render 's8' %}")).rejects.toMatchObject(details('source', 'at most 8 levels'))
    await put('below', 'x')
    await expect(put('s1', "{% render 'below' %}")).rejects.toMatchObject(details('source', 'at most 8 levels'))
  })

  test('that many ways lead to are read once', async () => {
    for (let level = 1; level <= 8; level++)
      for (const which of ['a', 'b', 'c', 'd']) {
        const inner = level === 1 ? '' : ['a', 'b', 'c', 'd'].map((one) => `{% render '${one}${level - 1}' %}`).join('')
        await put(`${which}${level}`, `{% if false %}${inner}{% endif %}`)
      }
    const { warnings } = await flow.change.create(id, campaign("{% render 'a8' %}"))
    expect(warnings).toEqual([])
  })
})

describe('a campaign', () => {
  test('has a fault at each snippet that is not there, and a warning at each translation that is missing', async () => {
    await texts.translations.put(id, 'en', { a: '1', b: '2' }, BY)
    await texts.translations.put(id, 'de', { a: '1' }, BY)
    await expect(flow.change.create(id, campaign("{% render 'gone' %}"))).rejects.toMatchObject({
      code: 'campaign/invalid-definition',
      ...details('steps[0].title', 'There is no snippet gone'),
    })
    await texts.snippets.put(id, 'inner', { source: "{{ 'c' | t }}" }, BY)
    const title = "{{ 'a' | t }}{{ 'b' | t }}{% render 'inner' %}"
    const saved = await flow.change.create(id, campaign(title))
    const warnings = [
      { path: 'steps[0].title', line: null, message: 'The translation b is missing in de.' },
      { path: 'steps[0].title', line: null, message: 'The translation c is missing in every locale.' },
    ]
    expect(saved.warnings).toEqual(warnings)
    expect((await flow.change.putDraft(id, saved.id, campaign(title))).warnings).toEqual(warnings)
    expect(await flow.change.publish(id, saved.id)).toMatchObject({ warnings })
    await texts.snippets.remove(id, 'inner', BY)
    await expect(flow.change.publish(id, saved.id)).rejects.toMatchObject(details('steps[0].title', 'no snippet inner'))
  })

  test('keeps the texts that it was published with, in runs that wait too; drafts have the current ones', async () => {
    const write = async (text: string) => {
      await texts.translations.put(id, 'en', { hello: `${text} {name}` }, BY)
      await texts.snippets.put(id, 'end', { source: `, ${text}` }, BY)
    }
    await write('old')
    const title = "{{ 'hello' | t: name: event.properties.n }}{% render 'end' %}"
    const wait = { id: 'w', type: 'delay', for: 'PT1H' }
    const published = await flow.publish(campaign(title, [wait]))
    await flow.track({ name: 'e', userId: 'u', properties: { n: 1 } } as never)
    await write('new')
    await flow.track({ name: 'e', userId: 'u', properties: { n: 2 } } as never)
    const preview = await flow.tryOut.preview(flow.environment, published, {
      stepId: 'tell',
      event: { properties: { n: 3 } },
    })
    expect(preview.title).toBe('new 3, new')
    await flow.change.publish(id, published)
    await flow.track({ name: 'e', userId: 'u', properties: { n: 4 } } as never)
    await flow.pass(3_600_000)
    expect((await flow.titles('u')).sort()).toEqual(['new 4, new', 'old 1, old', 'old 2, old'])
  })

  test('with more texts than a version may have is refused', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`k${at}`, 'x'.repeat(3000)]))
    await texts.translations.put(id, 'en', many, BY)
    await expect(flow.change.create(id, campaign('{{ event.properties.key | t }}'))).rejects.toMatchObject(
      details('', 'at most 262144 characters'),
    )
    expect((await flow.change.create(id, campaign("{{ 'k1' | t }}"))).warnings).toEqual([])
  })
})

test('a snippet with many keys at many places, and many locales, are told of in bounded time', async () => {
  const tags = ['de', 'fr', 'es', 'it'].flatMap((language) =>
    ['AT', 'CH', 'US', 'GB', 'IN'].map((at) => `${language}-${at}`),
  )
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, 'x']))
  await texts.translations.put(id, 'en', many, BY)
  for (const tag of tags) await texts.translations.put(id, tag, { own: 'x' }, BY)
  const source = Array.from({ length: 500 }, (_, at) => `{{ 'z${at}' | t }}`).join('')
  await texts.snippets.put(id, 'many', { source }, BY)
  const data = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`d${at}`, "{% render 'many' %}"]))
  const ms = await processorMs(async () => {
    const { warnings } = await flow.change.create(id, {
      ...messageCampaign('a', 'e'),
      steps: [{ id: 'tell', type: 'inbox', title: 'x', data }],
    })
    expect(warnings).toHaveLength(100)
    const { data: listed } = await texts.translations.list(id, ALL)
    expect(listed.filter(({ missingCount }) => missingCount === 1000)).toHaveLength(tags.length)
  })
  // Each key of each locale once read the tags of all locales.
  expect(ms).toBeLessThan(1500)
})

test('messages that take long to check are checked in parts', async () => {
  const slow = Array.from({ length: 8 }, (_, at): [string, string] => [`k${at}`, '{a,date,::j}'.repeat(340)])
  const faults = await createCheckTexts(oneSandbox())(id, { messages: [...slow, ['last', '{']] })
  expect(faults).toMatchObject([{ path: 'last' }])
})
