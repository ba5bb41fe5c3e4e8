// Tests settings as people write them: each setting with quotes, a byte order mark and spaces, and each secret in a file.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findUnknownVariables, parseSettings } from '../../config.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const DATABASE = { DATABASE_URL: 'postgres://ada:pw@db.example/nc', MASTER_KEY: KEY }

/** A value of each setting that is not its default, and what it needs beside it. */
const VALUES: Record<string, { value: string; beside?: Record<string, string> }> = {
  PORT: { value: '8080' },
  HOST: { value: '0.0.0.0' },
  DATA_DIR: { value: '/data' },
  DATABASE_URL: { value: DATABASE.DATABASE_URL, beside: { MASTER_KEY: KEY } },
  DATABASE_READ_URL: { value: 'postgres://ada:pw@replica.example/nc', beside: DATABASE },
  REDIS_URL: { value: 'redis://cache.example', beside: DATABASE },
  MASTER_KEY: { value: KEY },
  PUBLIC_URL: { value: 'https://n.example' },
  SESSION_LIFETIME: { value: 'PT2H' },
  RATE_LIMITS: { value: 'off' },
  REGION: { value: 'us-west-2' },
  REGION_HOSTS: { value: 'us=https://us.example' },
  NODE_NUMBERS: { value: '10-19' },
  OUTBOUND_ALLOW: { value: '10.0.0.0/8' },
  SMTP_URL: { value: 'smtps://mail.example' },
  EMAIL_FROM: { value: '"Shop, Inc." <news@shop.example>' },
  EMAIL_UNKNOWN_OUTCOME: { value: 'retry' },
  SEED_DEMO: { value: 'true' },
  IDEMPOTENCY_KEPT: { value: 'P2D' },
  TRUSTED_PROXIES: { value: '2' },
  DRAIN_NOTICE: { value: 'PT2S' },
  KEEP_ALIVE: { value: 'PT10M' },
  METRICS_TOKEN: { value: 'a-token-of-16-chars' },
  METRICS_PORT: { value: '9464' },
  OTEL_EXPORTER_OTLP_ENDPOINT: { value: 'http://collector.example:4318' },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: { value: 'https://collector.example/traces' },
  LOG_LEVEL: { value: 'warn' },
}
const SECRETS = ['DATABASE_URL', 'DATABASE_READ_URL', 'REDIS_URL', 'MASTER_KEY', 'SMTP_URL', 'METRICS_TOKEN']

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the table has all settings', () => {
  const named = Object.fromEntries(Object.keys(VALUES).map((name) => [name, '']))
  expect(findUnknownVariables(named)).toEqual([])
  expect(Object.keys(VALUES)).toHaveLength(Object.keys(parseSettings({})).length)
})

describe.each(Object.entries(VALUES))('%s', (name, { value, beside = {} }) => {
  const parsed = parseSettings({ ...beside, [name]: value })
  const written: [how: string, env: Record<string, string>][] = [
    ['in double quotes, as docker --env-file keeps them', { [name]: `"${value}"` }],
    ['in single quotes', { [name]: `'${value}'` }],
    ['in the quotes of a word processor', { [name]: `“${value}”` }],
    ['with spaces and the end of a line of Windows', { [name]: `  ${value} \r\n` }],
    ['with spaces in quotes', { [name]: `" ${value} "` }],
    ['after a byte order mark', { [name]: `\uFEFF${value}` }],
    ['in the first line of a file with a byte order mark', { [`\uFEFF${name}`]: value }],
    ['after a byte order mark, in quotes', { [name]: `\uFEFF"${value}"` }],
  ]
  test.each(written)('%s', (_how, env) => {
    expect(parseSettings({ ...beside, ...env })).toEqual(parsed)
  })

  test('with nothing between quotes it is unset', () => {
    const { [name]: _own, ...others } = beside
    expect(parseSettings({ ...others, [name]: '""' })).toEqual(parseSettings(others))
  })

  test('with a quote at one end it is refused by name, without the value', () => {
    // A name before an address may begin with one.
    const one = name === 'EMAIL_FROM' ? [`${value}'`] : [`"${value}`, `${value}'`, `“${value}`]
    for (const given of one) {
      const parse = () => parseSettings({ ...beside, [name]: given })
      expect(parse).toThrow(new RegExp(`${name} must be `))
      expect(parse).not.toThrow(value)
    }
  })
})

describe.each(SECRETS)('%s_FILE', (name) => {
  const { value = '', beside = {} } = VALUES[name] ?? {}
  const path = join(folder, name)
  const env = { ...beside, [`${name}_FILE`]: path }

  test('names the file that holds the secret', () => {
    for (const text of [value, `${value}\n`, `\uFEFF"${value}"\r\n`]) {
      writeFileSync(path, text)
      expect(parseSettings(env)).toEqual(parseSettings({ ...beside, [name]: value }))
      expect(parseSettings({ ...env, [`${name}_FILE`]: `"${path}"` })).toEqual(parseSettings(env))
    }
    expect(findUnknownVariables(env)).toEqual([])
  })

  test('is refused beside the setting itself, and where it cannot be read', () => {
    writeFileSync(path, value)
    expect(() => parseSettings({ ...env, [name]: value })).toThrow(`${name} must be given once`)
    rmSync(path)
    expect(() => parseSettings(env)).toThrow(
      `${name} must be in the file that ${name}_FILE names, which cannot be read (ENOENT)`,
    )
  })
})
