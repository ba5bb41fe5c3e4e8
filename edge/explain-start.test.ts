// Tests which setting an error of the start is explained by.

import { expect, test } from 'vitest'
import { parseSettings } from './config.ts'
import { explainStart } from './explain-start.ts'

const MASTER_KEY = Buffer.alloc(32, 1).toString('base64')
const fault = (code: string, more: object) => Object.assign(new Error(`failed ${code}`), { code, ...more })
const lookup = (hostname: string) => fault('ENOTFOUND', { syscall: 'getaddrinfo', hostname })

function explained(error: Error, env: Record<string, string>): string {
  return String(explainStart(error, parseSettings({ MASTER_KEY, ...env })))
}

test.each([
  ['own.invalid', /HOST is no address, and no name/],
  ['db.invalid', /PostgreSQL at db\.invalid\/app has a host name that is unknown/],
  ['redis.invalid', /^Error: failed ENOTFOUND$/],
])('a failed lookup of %s is explained by the setting that has this name', (name, text) => {
  const env = { HOST: 'own.invalid', DATABASE_URL: 'postgres://u:p@db.invalid/app', PUBLIC_URL: 'https://x.example' }
  expect(explained(lookup(name), env)).toMatch(text)
})

test('a port that is taken is that of the metrics where it has their number', () => {
  const taken = (port: number) => fault('EADDRINUSE', { syscall: 'listen', port })
  expect(explained(taken(3000), { METRICS_PORT: '9100' })).toMatch(/^Error: PORT is taken/)
  expect(explained(taken(9100), { METRICS_PORT: '9100' })).toMatch(/^Error: METRICS_PORT is taken/)
})

test('a socket of PostgreSQL is named by its path', () => {
  const env = { DATABASE_URL: 'postgres://u@/app?host=/run/nowhere&port=5433' }
  const error = fault('ENOENT', { syscall: 'connect' })
  expect(explained(error, env)).toContain('PostgreSQL at /run/nowhere/.s.PGSQL.5433/app has no socket in the folder')
})
