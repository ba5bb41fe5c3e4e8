// Tests the checks of an SMTP server's credentials, and the reading of SMTP_URL.

import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Credentials } from '../../domain/mail/mail-provider.ts'
import { checkSmtpCredentials, readSmtpCredentials, smtpCredentialsOf } from './smtp-credentials.ts'

const pemOf = (type: 'rsa' | 'ed25519') => {
  const options = { modulusLength: 2048 }
  const { privateKey } = type === 'rsa' ? generateKeyPairSync('rsa', options) : generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}
const host = 'mail.example.com'
const dkim = { dkimDomain: 'example.com', dkimSelector: 'news', dkimPrivateKey: pemOf('rsa') }
const pathsOf = (credentials: Credentials) => checkSmtpCredentials(credentials).map(({ path }) => path)

test('complete credentials have no fault', () => {
  for (const right of ['mail.example.com', 'localhost', '10.0.0.1', '2001:db8::1', 'exämple.org']) {
    expect(checkSmtpCredentials({ host: right })).toEqual([])
  }
  const all = { host, port: '2525', user: 'shop', password: 'p:@/ ü', tls: 'tls', ...dkim }
  expect(checkSmtpCredentials(all)).toEqual([])
  expect(checkSmtpCredentials({ host, port: '', user: '', password: '', dkimDomain: '' })).toEqual([])
})

test.each<[string[], Credentials]>([
  [['host'], {}],
  ...['a b', 'http://example.com', 'example.com:25', '-a.example', 'a..b', 'a\r\nb', 'a%41.example', '[::1]'].map(
    (wrong): [string[], Credentials] => [['host'], { host: wrong }],
  ),
  ...['0', '65536', '-1', '25.5', 'smtp', '0x19'].map((port): [string[], Credentials] => [['port'], { host, port }]),
  [['tls'], { host, tls: 'ssl' }],
  [['password'], { host, user: 'shop' }],
  [['user'], { host, password: 'secret' }],
  [['user'], { host, user: 'shop\r\nRSET', password: 'secret' }],
  [['password'], { host, user: 'shop', password: 'a\0b' }],
  [['dkimSelector', 'dkimPrivateKey'], { host, dkimDomain: 'example.com' }],
  [['dkimDomain'], { host, ...dkim, dkimDomain: 'example.com; d=other.example' }],
  [['dkimSelector'], { host, ...dkim, dkimSelector: 'a b' }],
  [['dkimPrivateKey'], { host, ...dkim, dkimPrivateKey: 'no key' }],
  [['dkimPrivateKey'], { host, ...dkim, dkimPrivateKey: pemOf('ed25519') }],
])('the faults are at %j', (paths, credentials) => {
  expect(pathsOf(credentials)).toEqual(paths)
})

test('SMTP_URL gives host, port, login and encryption', () => {
  expect(smtpCredentialsOf('smtp://shop:p%40ss%3A@mail.example.com')).toEqual({
    host,
    port: '587',
    user: 'shop',
    password: 'p@ss:',
    tls: 'starttls',
  })
  expect(smtpCredentialsOf('smtps://mail.example.com')).toEqual({ host, port: '465', tls: 'tls' })
  expect(smtpCredentialsOf('smtps://mail.example.com:2465')).toMatchObject({ port: '2465', tls: 'tls' })
  expect(smtpCredentialsOf('smtp://[::1]:25?tls=none')).toEqual({ host: '::1', port: '25', tls: 'none' })
})

test('a fault of SMTP_URL does not repeat its password', () => {
  expect(() => smtpCredentialsOf('smtp://:secret@mail.example.com')).toThrow(/^SMTP_URL is not valid: user is missing/)
})

test('a name that is not ASCII is resolved in its ASCII form', () => {
  expect(readSmtpCredentials({ host: 'exämple.org' }).host).toBe('xn--exmple-cua.org')
})
