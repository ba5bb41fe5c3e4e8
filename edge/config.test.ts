// Tests the settings: defaults, all problems in one error, no secret in a problem.

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeSettings, findIgnoredParameters, findUnknownVariables, parseSettings } from './config.ts'
import { scrub } from './lib/log.ts'
import { SettingsError } from './lib/settings/setting.ts'

function problemsOf(env: Record<string, string>): string[] {
  try {
    parseSettings(env)
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
  return []
}

test('an empty environment gives the documented defaults', () => {
  expect(parseSettings({ PORT: '' })).toEqual({
    port: 3000,
    host: '127.0.0.1',
    dataDir: './data',
    databaseUrl: null,
    databaseReadUrl: null,
    redisUrl: null,
    masterKeys: null,
    publicUrl: null,
    sessionLifetimeMs: 3_600_000,
    rateLimits: { auth: 1200, inbox: 1200, track: null, management: null, webhooks: null },
    region: 'eu',
    nodeNumbers: { first: 0, last: 30 },
    regionHosts: {},
    outboundAllow: [],
    smtpUrl: null,
    emailFrom: null,
    emailUnknownOutcome: 'stop',
    seedDemo: false,
    idempotencyKeptMs: 86_400_000,
    collectorUrl: null,
    tracesUrl: null,
    trustedProxies: 0,
    drainNoticeMs: 0,
    keepAliveMs: 65_000,
    metricsToken: null,
    metricsPort: null,
    logLevel: 'info',
  })
})

test('all problems are reported at once, without the values', () => {
  const problems = problemsOf({
    PORT: '70000',
    SESSION_LIFETIME: 'PT30S',
    RATE_LIMITS: 'auth=many',
    MASTER_KEY: 'c2hvcnQ=',
    PUBLIC_URL: 'https://user:secret@example.com',
    DATABASE_URL: 'mysql://user:secret@db/x',
    SMTP_URL: 'secret',
    EMAIL_FROM: 'secret',
  })
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
    'PORT',
    'DATABASE_URL',
    'MASTER_KEY',
    'PUBLIC_URL',
    'SESSION_LIFETIME',
    'RATE_LIMITS',
    'SMTP_URL',
    'EMAIL_FROM',
  ])
  expect(problems.join()).not.toMatch(/secret|c2hvcnQ|70000/)
  // The process scrubs its last message: no example in a problem may look like a credential.
  expect(problems.map(scrub)).toEqual(problems)
})

test.each([
  ['another protocol', 'http://:secret@host:6379'],
  ['no address', 'secret'],
  ['no host', 'redis:///0'],
  ['a name in place of a number', 'redis://:secret@host/secret'],
  ['options', 'redis://host?password=secret'],
  ['a percent sign that encodes nothing', 'redis://:secret%zz@host'],
])('REDIS_URL with %s is refused, without the value', (_, value) => {
  const problems = problemsOf({ REDIS_URL: value })
  expect(problems).toEqual([
    'REDIS_URL must be an address such as `redis://host:6379`, or `rediss://` for TLS, and user and password before the host, percent-encoded.',
  ])
})

test('REDIS_URL with SQLite is refused with the reason', () => {
  const [problem = ''] = problemsOf({ REDIS_URL: 'rediss://:secret@host' })
  expect(problem).toMatch(/^REDIS_URL must be unset without DATABASE_URL: .*SQLite serves one node/)
  expect(problem).not.toContain('secret')
})

test('DATABASE_READ_URL with SQLite is refused with the reason, and its parameters without effect are told', () => {
  const [problem = ''] = problemsOf({ DATABASE_READ_URL: 'postgres://nc:secret@replica/nc' })
  expect(problem).toMatch(/^DATABASE_READ_URL must be unset without DATABASE_URL/)
  expect(problem).not.toContain('secret')
  const url = 'postgres://replica/nc?application_name=reports'
  expect(findIgnoredParameters({ DATABASE_READ_URL: url })).toEqual([
    'DATABASE_READ_URL has parameters without effect here: application_name.',
  ])
})

test.each([
  ['another protocol', 'mysql://user:secret@host/nc'],
  ['no database', 'postgres://user:secret@host'],
  ['no host', 'postgres:///nc'],
  ['other options', 'postgres://host/nc?password=secret'],
  ['a percent sign that encodes nothing', 'postgres://user:secret%zz@host/nc'],
  ['two modes', 'postgres://user:secret@host/nc?sslmode=require&sslmode=verify-full'],
])('DATABASE_URL with %s is refused, without the value', (_, value) => {
  const problems = problemsOf({ DATABASE_URL: value, MASTER_KEY: randomBytes(32).toString('base64') })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^DATABASE_URL must be an address such as/)
  expect(problems[0]).not.toContain('secret')
})

test.each(['allow', 'no-verify', 'verify_full', ''])('DATABASE_URL with sslmode=%s is refused', (mode) => {
  const databaseUrl = `postgres://user:secret@host/nc?sslmode=${mode}`
  expect(problemsOf({ DATABASE_URL: databaseUrl, MASTER_KEY: randomBytes(32).toString('base64') })).toEqual([
    'DATABASE_URL must be an address whose `sslmode` is `disable`, `prefer`, `require` or `verify-full`.',
  ])
})

test('METRICS_PORT is another port than PORT', () => {
  expect(() => parseSettings({ PORT: '3001', METRICS_PORT: '3001' })).toThrow('METRICS_PORT must be another port')
})

test('DATABASE_URL requires MASTER_KEY, because all nodes use the same key', () => {
  const databaseUrl = 'postgres://user:secret@host/nc?sslmode=verify-full'
  expect(problemsOf({ DATABASE_URL: databaseUrl })).toEqual([
    'MASTER_KEY must be set with DATABASE_URL: all nodes encrypt and decrypt secrets with the same key.',
  ])
  const masterKey = randomBytes(32).toString('base64')
  expect(parseSettings({ DATABASE_URL: databaseUrl, MASTER_KEY: masterKey }).databaseUrl).toBe(databaseUrl)
})

test('a demo on loopback may call loopback addresses, a demo on another host may not', () => {
  expect(parseSettings({ SEED_DEMO: 'true' }).outboundAllow).toEqual(['127.0.0.0/8', '::1/128'])
  expect(parseSettings({ SEED_DEMO: 'plain' }).outboundAllow).toEqual(['127.0.0.0/8', '::1/128'])
  expect(parseSettings({ SEED_DEMO: 'true', HOST: '0.0.0.0' }).outboundAllow).toEqual([])
  expect(parseSettings({ SEED_DEMO: 'true', OUTBOUND_ALLOW: '10.0.0.0/8' }).outboundAllow).toEqual(['10.0.0.0/8'])
})

test('rate limits are set by class or switched off', () => {
  expect(parseSettings({ RATE_LIMITS: 'off' }).rateLimits).toEqual({
    auth: null,
    inbox: null,
    track: null,
    management: null,
    webhooks: null,
  })
  expect(parseSettings({ RATE_LIMITS: 'track=600,auth=off' }).rateLimits).toEqual({
    auth: null,
    inbox: 1200,
    track: 600,
    management: null,
    webhooks: null,
  })
  for (const wrong of ['track', 'track=', 'track=0', 'track=-1', 'track=1e3', 'track=1=2', 'toString=1', 'mail=5']) {
    expect(problemsOf({ RATE_LIMITS: wrong })).toHaveLength(1)
  }
})

test('several master keys keep their order', () => {
  const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)].map((key) => key.toString('base64'))
  expect(parseSettings({ MASTER_KEY: keys.join(', ') }).masterKeys?.map((key) => key[0])).toEqual([1, 2])
})

test('the description has a row for each setting', () => {
  expect(describeSettings().split('\n')).toHaveLength(2 + Object.keys(parseSettings({})).length)
  expect(describeSettings()).toContain('| `PORT` | `3000` |')
})

test.each(['https://:secret@example.com', 'https://user@example.com'])(
  'PUBLIC_URL with a login is refused: %s',
  (address) => {
    expect(problemsOf({ PUBLIC_URL: address })).toEqual([expect.stringMatching(/^PUBLIC_URL [^@]+$/)])
  },
)

test.each(['/?', '/#', '/notify?a=b', '/notify#a', '\\notify'])(
  'PUBLIC_URL with a query, a fragment or a backslash is refused: %s',
  (end) =>
    expect(problemsOf({ PUBLIC_URL: `https://x.example${end}` })).toEqual([expect.stringMatching(/^PUBLIC_URL /)]),
)

test.each(['https://@x.example', 'https://:@x.example/notify'])(
  'PUBLIC_URL with an empty login is refused: %s',
  (url) => expect(problemsOf({ PUBLIC_URL: url })).toEqual([expect.stringMatching(/^PUBLIC_URL /)]),
)

test.each([
  '/..',
  '/a/..',
  '/a/../b',
  '/.',
  '/./a',
  '/a/.',
  '/%2e%2e',
  '/a/%2E',
  '/.%2e/b',
  '//',
  '//a',
  '/a//',
  '/.\t./',
])('PUBLIC_URL and REGION_HOSTS with the path %j are refused, not resolved', (path) => {
  expect(problemsOf({ PUBLIC_URL: `https://x.example/x${path}` })).toEqual([
    expect.stringMatching(/^PUBLIC_URL .*path/),
  ])
  expect(problemsOf({ REGION_HOSTS: `eu=https://x.example/x${path}` })).toEqual([
    expect.stringMatching(/^REGION_HOSTS /),
  ])
})

test.each(['/v1', '/dashboard/x', '/docs/', '/widget', '/a//b', '/a;b', '/%6eotify'])(
  'PUBLIC_URL with the path %s is refused',
  (path) => {
    expect(problemsOf({ PUBLIC_URL: `https://x.example${path}` })).toEqual([
      expect.stringMatching(/^PUBLIC_URL .*path/),
    ])
  },
)

test.each(['', '/', '/notify', '/notify/', '/a/b.c_d~e-1'])('PUBLIC_URL with the path %j is taken', (path) => {
  expect(problemsOf({ PUBLIC_URL: `https://x.example${path}` })).toEqual([])
})

test.each([
  ['DATABSE_URL', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['REDIS_URI', 'REDIS_URL'],
  ['DATADIR', 'DATA_DIR'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['MASTERKEY', 'MASTER_KEY'],
  ['RATE_LIMIT', 'RATE_LIMITS'],
  ['session_lifetime', 'SESSION_LIFETIME'],
  ['TRUSTED_PROXY', undefined],
  ['METRICS_TOKENS', 'METRICS_TOKEN'],
  ['PORTS', undefined],
  ['HOSTNAME', undefined],
  ['PATH', undefined],
  ['AWS_REGION', undefined],
  ['XDG_DATA_DIRS', undefined],
  ['RAILS_MASTER_KEY', undefined],
  ['DATABASE_URL', undefined],
])('%s is reported as a misspelling of %s', (name, meant) => {
  const expected = meant === undefined ? [] : [`${name} is no setting. Is ${meant} meant?`]
  expect(findUnknownVariables({ [name]: 'very-secret-value' })).toEqual(expected)
  expect(findUnknownVariables({ [name]: '' })).toEqual([])
})

test('the sender of mails has a name or none', () => {
  const senderOf = (text: string) => parseSettings({ EMAIL_FROM: text }).emailFrom
  expect(senderOf('news@example.com')).toEqual({ name: null, address: 'news@example.com' })
  expect(senderOf('Example <news@example.com>')).toEqual({ name: 'Example', address: 'news@example.com' })
  expect(senderOf('"Example, Inc." <news@example.com>')).toEqual({ name: 'Example, Inc.', address: 'news@example.com' })
  for (const bad of ['news', 'a@b.c, d@e.f', 'x <a@b.c', 'a\nBcc: b@c.de <a@b.cd>'])
    expect(() => senderOf(bad), bad).toThrow(SettingsError)
})

test('the mail server has a login, a port and a kind of TLS', () => {
  const urlOf = (text: string) => parseSettings({ SMTP_URL: text }).smtpUrl
  for (const good of [
    'smtp://mail.example.com',
    'smtps://user:p%40ss@mail.example.com:465',
    'smtp://127.0.0.1:25?tls=none',
  ])
    expect(urlOf(good)).toBe(new URL(good).href)
  for (const bad of [
    'mail.example.com',
    'http://mail.example.com',
    'smtp://',
    'smtp://u:p%zz@mail.example.com',
    'smtps://h.example?tls=none',
    'smtp://h.example?tls=some',
    'smtp://h.example/path',
  ])
    expect(() => urlOf(bad), bad).toThrow(SettingsError)
})

test('a list with two values for one name is refused', () => {
  expect(problemsOf({ RATE_LIMITS: 'auth=1,track=2,auth=3' })).toEqual([
    'RATE_LIMITS must be a list that names each part once.',
  ])
  expect(problemsOf({ REGION_HOSTS: 'eu=https://a.example,eu=https://b.example' })).toEqual([
    'REGION_HOSTS must be a list that names each region once.',
  ])
})

test('addresses of regions are stored without a trailing slash', () => {
  const { regionHosts } = parseSettings({ REGION_HOSTS: 'eu=https://eu.example.com/, us=http://localhost:3000' })
  expect(regionHosts).toEqual({ eu: 'https://eu.example.com', us: 'http://localhost:3000' })
})

test.each([
  'us.example.com',
  'ftp://us.example.com',
  'https://user:secret@us.example.com',
  'https://us.example.com?a=b',
  '',
])('a region host that is no address is refused: %s', (host) => {
  const [problem = '', ...others] = problemsOf({ REGION_HOSTS: `eu=https://eu.example.com,us=${host}` })
  expect(others).toEqual([])
  expect(problem).toMatch(/^REGION_HOSTS must be a list/)
  expect(problem).not.toContain('secret')
})

test('all problems of the region hosts are reported together, with those of other settings', () => {
  expect(problemsOf({ PORT: 'x', REGION_HOSTS: 'eu=https://a.example,eu=https://b.example,us=c.example' })).toEqual([
    expect.stringMatching(/^PORT /),
    'REGION_HOSTS must be a list that names each region once, and a list with an http or https address for each region.',
  ])
})
