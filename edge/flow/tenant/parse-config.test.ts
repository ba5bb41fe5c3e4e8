// Tests that a notification config refuses fields that would vanish, and takes an answer back.

import { expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { parseConfig, parseMailLook } from './parse-config.ts'

const NO_FAULT = async () => null
const pathsOf = (parsed: Promise<unknown>) =>
  parsed.then(
    () => [],
    (error: unknown) => (error instanceof ApiError ? error.extra.details?.map(({ path }) => path) : error),
  )

test('an unknown field is refused in every object of a config, each with its path', async () => {
  const config = {
    name: 'Shop',
    logo: 'https://shop.example/logo.png',
    categories: [{ key: 'orders', channels: { email: true, sms: true }, label: null }],
    widget: { theme: 'dark', colour: '#000000', texts: { fr: { title: 'Bonjour' } } },
    email: { cc: 'a@shop.example', tracking: { opens: true, pixels: true }, constructor: 1 },
  }
  expect(await pathsOf(parseConfig(config, NO_FAULT))).toEqual([
    'logo',
    'categories[0].label',
    'categories[0].channels.sms',
    'widget.colour',
    'email.cc',
    'email.constructor',
    'email.tracking.pixels',
  ])
  expect(await pathsOf(parseMailLook({ email: config.email, siteUrl: undefined }, NO_FAULT))).toEqual([
    'email.cc',
    'email.constructor',
    'email.tracking.pixels',
  ])
})

test('an answer can be sent back', async () => {
  const parsed = await parseConfig({ name: 'Shop', categories: [{ key: 'orders' }] }, NO_FAULT)
  const at = '2026-01-02T00:00:00.000Z'
  const answer = { id: 'cfg_1', ...parsed, createdAt: at, updatedAt: at, warnings: [] }
  expect(await parseConfig(answer, NO_FAULT)).toEqual(parsed)
})
