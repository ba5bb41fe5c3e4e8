// Tests that a notification config refuses fields that would vanish, and takes an answer back.

import { expect, test } from 'vitest'
import { mailLook, notificationConfigContent } from './notification-config.ts'
import { organisationSettingsChange } from './organisation-settings.ts'

const faultsOf = (schema: typeof notificationConfigContent | typeof mailLook, input: unknown) =>
  schema
    .safeParse(input)
    .error?.issues.flatMap((issue) => {
      const path = issue.path.join('.')
      return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => (path === '' ? key : `${path}.${key}`)) : path
    })
    .sort()

test('an unknown field is refused in every object of a config, each with its path', () => {
  const config = {
    name: 'Shop',
    logo: 'https://shop.example/logo.png',
    categories: [{ key: 'orders', channels: { email: true, sms: true }, label: null }],
    widget: { theme: 'dark', colour: '#000000', texts: { fr: { title: 'Bonjour' } } },
    email: { cc: 'a@shop.example', tracking: { opens: true, pixels: true }, constructor: 1 },
  }
  expect(faultsOf(notificationConfigContent, config)).toEqual([
    'categories.0.channels.sms',
    'categories.0.label',
    'email.cc',
    'email.constructor',
    'email.tracking.pixels',
    'logo',
    'widget.colour',
  ])
  expect(faultsOf(mailLook, { email: config.email })).toEqual([
    'email.cc',
    'email.constructor',
    'email.tracking.pixels',
  ])
})

test('an answer can be sent back', () => {
  const parsed = notificationConfigContent.parse({ name: 'Shop', categories: [{ key: 'orders' }] })
  const at = '2026-01-02T00:00:00.000Z'
  const answer = { id: 'cfg_1', ...parsed, revision: 3, createdAt: at, updatedAt: at, warnings: [] }
  expect(notificationConfigContent.parse(answer)).toMatchObject(parsed)
})

test('absent fields have their defaults, and faults of values stand beside those of lists', () => {
  expect(notificationConfigContent.parse({ name: 'Shop', categories: [{ key: 'orders' }] })).toEqual({
    name: 'Shop',
    categories: [
      { key: 'orders', name: 'orders', critical: false, channels: { inbox: true, email: true }, quietHours: 'delay' },
    ],
    widget: { theme: 'auto', accentColor: null, texts: {} },
    email: {
      ...{ senderName: null, senderAddress: null, replyTo: null, senders: [], logoUrl: null, accentColor: null },
      ...{ addressLine: null, layout: null, layoutFormat: 'html', tracking: { opens: true, clicks: true } },
    },
    siteUrl: null,
  })
  const categories = [{ key: 'a' }, { key: 'a', quietHours: 'never' }]
  const email = { layout: 'no content', logoUrl: 'javascript:1', accentColor: 'red' }
  const texts = { 'no locale': { a: 'A' }, fr: { a: { one: 'x' }, b: '\u200b', c: 3 } }
  expect(
    faultsOf(notificationConfigContent, { name: ' ', categories, email, widget: { texts }, siteUrl: 'x' }),
  ).toEqual([
    'categories.1.key',
    'categories.1.quietHours',
    'email.accentColor',
    'email.layout',
    'email.logoUrl',
    'name',
    'siteUrl',
    'widget.texts.fr.a',
    'widget.texts.fr.b',
    'widget.texts.fr.c',
    'widget.texts.no locale',
  ])
})

test('locales have plain hyphens, however they are written', () => {
  const texts = { 'de\u2011AT': { a: 'A' }, 'pt\u2013BR': { a: 'B' } }
  const { widget } = notificationConfigContent.parse({
    name: 'Shop',
    categories: [{ key: 'orders' }],
    widget: { texts },
  })
  expect(widget.texts).toEqual({ 'de-AT': { a: 'A' }, 'pt-BR': { a: 'B' } })
  expect(organisationSettingsChange.parse({ locale: 'de\u2212AT' })).toEqual({ locale: 'de-AT' })
})
