// Tests the content of messages: rendering, languages, links, hostile text, limits.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MessageContent } from '../../../contract/api.ts'
import { compileTemplate, TemplateError, type TemplateScope } from '../expression/template.ts'
import { renderKey } from '../message.ts'
import { compileContent, type InboxFields } from './inbox.ts'

function scopeWith(properties: Record<string, unknown>): TemplateScope {
  return {
    event: { name: 'order.shipped', properties },
    user: { id: 'u' },
    enriched: {},
    events: [],
    campaign: {},
    env: {},
  }
}

function render(
  step: Partial<InboxFields>,
  properties: Record<string, unknown> = {},
  locale: string | null = null,
): MessageContent {
  const content = compileContent({ title: 'Hi', ...step }, 'orders')
  return content.render(scopeWith(properties), locale, 'Order shipped')
}

const value = '{{ event.properties.v }}'

describe('a message', () => {
  test('with only a title has defaults for the rest', () => {
    expect(render({ title: `Order ${value}` }, { v: 7 })).toEqual({
      title: 'Order 7',
      body: '',
      bodyFormat: 'text',
      link: null,
      actions: [],
      category: 'orders',
      entity: null,
      icon: null,
      imageUrl: null,
      priority: 'normal',
      data: {},
    })
  })

  test('renders every field', () => {
    const step: Partial<InboxFields> = {
      body: `**${value}**`,
      bodyFormat: 'markdown',
      link: `/orders/${value}`,
      actions: [
        { label: `Track ${value}`, link: `https://example.com/${value}`, style: 'primary' },
        { label: 'Later' },
      ],
      icon: 'success',
      imageUrl: '/a.png',
      priority: 'high',
      entity: `order:${value}`,
      data: { id: value, list: [value, 5, null], deep: { x: `x${value}` } },
    }
    expect(render(step, { v: 'A_1' })).toMatchObject({
      body: '**A\\_1**',
      bodyFormat: 'markdown',
      link: '/orders/A_1',
      actions: [
        { label: 'Track A_1', link: 'https://example.com/A_1', style: 'primary' },
        { label: 'Later', link: null, style: 'default' },
      ],
      icon: 'success',
      imageUrl: '/a.png',
      priority: 'high',
      entity: 'order:A_1',
      data: { id: 'A_1', list: ['A_1', 5, null], deep: { x: 'xA_1' } },
    })
  })

  test('without a title has the name of its campaign', () => {
    expect(render({ title: value }).title).toBe('Order shipped')
    expect(render({ title: value }, { v: ' \n' }).title).toBe('Order shipped')
  })
})

describe('languages', () => {
  const step: Partial<InboxFields> = {
    title: 'Hello',
    body: 'Body',
    locales: {
      fr: { title: 'Bonjour', body: 'Corps' },
      'fr-CA': { title: 'Allô' },
      pt_BR: { title: 'Olá' },
      'zh-Hant': { title: '你好' },
    },
  }

  test.each([
    ['fr', 'Bonjour', 'Corps'],
    ['fr-FR', 'Bonjour', 'Corps'],
    ['fr-CA', 'Allô', 'Corps'],
    ['FR_ca', 'Allô', 'Corps'],
    ['zh-Hant-TW', '你好', 'Body'],
    ['zh', 'Hello', 'Body'],
    ['-', 'Hello', 'Body'],
    ['pt-BR', 'Olá', 'Body'],
    ['pt', 'Olá', 'Body'],
    ['en', 'Hello', 'Body'],
    ['', 'Hello', 'Body'],
    [null, 'Hello', 'Body'],
  ])('a user of %s reads %s', (locale, title, body) => {
    expect(render(step, {}, locale)).toMatchObject({ title, body })
  })

  test('need the profile', () => {
    expect(compileContent({ title: 'a', locales: { fr: {} } }, null).readsProfile).toBe(true)
    expect(compileContent({ title: 'a', data: { x: ['{{ user.name }}'] } }, null).readsProfile).toBe(true)
    expect(compileContent({ title: '{{ user.id }}', link: '/{{ event.name }}' }, null).readsProfile).toBe(false)
  })
})

describe('hostile text', () => {
  test.each(['javascript:alert(1)', '//evil.example', 'data:text/html,x', '\\\\evil', 'java\nscript:x', ''])(
    'the link %j is dropped',
    (v) => {
      const content = render(
        { link: value, icon: value, imageUrl: value, actions: [{ label: 'a', link: value }] },
        { v },
      )
      expect(content).toMatchObject({ link: null, icon: null, imageUrl: null, actions: [{ label: 'a', link: null }] })
    },
  )

  test('a value cannot turn a path into another site', () => {
    expect(render({ link: `/${value}` }, { v: '/evil.example' }).link).toBe('/%2Fevil.example')
    expect(render({ link: `/${value}` }, { v: '\\evil.example' }).link).toBe('/%5Cevil.example')
  })

  test('an image cannot be a mail address, nor an icon an unknown name', () => {
    expect(render({ imageUrl: value, icon: 'skull' }, { v: 'mailto:a@b.example' })).toMatchObject({
      imageUrl: null,
      icon: null,
    })
  })

  test('plain text is unchanged', () => {
    expect(render({ title: value, body: value }, { v: "<b>O'Neil</b> [x](y) & *z*" })).toMatchObject({
      title: "<b>O'Neil</b> [x](y) & *z*",
      body: "<b>O'Neil</b> [x](y) & *z*",
    })
  })

  test('a title is one line without control characters', () => {
    expect(render({ title: value }, { v: 'a\r\nb\tc\u0007d\u001b[31m' }).title).toBe('a b cd[31m')
  })

  test('half a character, which a filter may leave, becomes a replacement character', () => {
    expect(render({ body: '{{ event.properties.v | slice: 0, 1 }}' }, { v: '😀' }).body).not.toMatch(/\p{Surrogate}/u)
  })

  test('no payload in Markdown creates a link; only the author can', () => {
    const unit = fc.constantFrom(
      ...'[]()<>\\!/:"\'` \n*_#ab',
      '](',
      'javascript:x',
      'https://evil.example',
      '<a href=x>',
    )
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (v) => {
        const { body } = render({ body: `Dear ${value}, [here](/x) ${value}`, bodyFormat: 'markdown' }, { v })
        const live = [...body.matchAll(/(?<!\\)(?:\\\\)*\]\(([^)]*)\)/g)].map((match) => match[1])
        expect(live).toEqual(['/x'])
        expect(body).not.toMatch(/(?<!\\)(?:\\\\)*<[a-z]/i)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('bounds', () => {
  test('a long title, label and body are cut, never within a character', () => {
    const content = render({ title: value, body: value, actions: [{ label: value }] }, { v: '😀'.repeat(20_000) })
    expect(content.title.length).toBeLessThanOrEqual(1000)
    expect(content.body.length).toBeLessThanOrEqual(16_384)
    expect(content.actions[0]?.label.length).toBeLessThanOrEqual(200)
    for (const text of [content.title, content.body, content.actions[0]?.label ?? '']) {
      expect(text).toMatch(/^(?:😀)+…$/u)
    }
  })

  test('a key that is too long fails the message, because a cut one could equal another', () => {
    expect(() => render({ entity: value }, { v: 'x'.repeat(300) })).toThrow(TemplateError)
    const compiled = compileTemplate(value, 'text')
    const template = 'template' in compiled ? compiled.template : null
    expect(renderKey(template, scopeWith({ v: ' order:1 ' }), 'collapseKey')).toBe('order:1')
    expect(renderKey(template, scopeWith({}), 'collapseKey')).toBeNull()
    expect(renderKey(null, scopeWith({}), 'collapseKey')).toBeNull()
  })
})
