// Tests TLS to PostgreSQL: which certificates each sslmode accepts and refuses on a private server (docs/config.md,
// DATABASE_URL).

import { execFile } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runSql, startPostgres } from '../../test/support/servers.ts'
import { openConnection } from './connection.ts'

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '../../..')
const IS_ENCRYPTED = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'

const folder = mkdtempSync(join(tmpdir(), 'nc-tls-'))
const authority = join(folder, 'ca.crt')
let plainUrl: string
/** Its certificate is for `localhost`, from the test's own authority. */
let tlsUrl: string
beforeAll(async () => {
  const [plain, withTls] = await Promise.all([startPostgres(), startPostgres()])
  plainUrl = plain.url
  tlsUrl = withTls.url
  await makeCertificate('localhost')
  const data = await runSql(tlsUrl, 'SHOW data_directory')
  const { uid, gid } = statSync(data)
  for (const name of ['server.crt', 'server.key']) {
    const path = join(data, name)
    copyFileSync(join(folder, name), path)
    chownSync(path, uid, gid)
    chmodSync(path, 0o600)
  }
  await runSql(tlsUrl, 'ALTER SYSTEM SET ssl = on', 'SELECT pg_reload_conf()')
  // `expect.poll` does not work in a hook.
  await vi.waitFor(async () => expect(await runSql(tlsUrl, 'SHOW ssl')).toBe('on'), 30_000)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function makeCertificate(name: string): Promise<void> {
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  const fresh = (file: string) => ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${file}.key`, '-days', '2']
  await openssl('req', '-x509', ...fresh('ca'), '-out', 'ca.crt', '-subj', '/CN=Test authority')
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-addext', `subjectAltName=DNS:${name}`]
  await openssl('req', '-x509', ...fresh('server'), '-out', 'server.crt', '-subj', `/CN=${name}`, ...signed)
}

const addressOf = (url: string, sslmode: string, host = 'localhost') => {
  const address = new URL(url)
  address.hostname = host
  address.search = `sslmode=${sslmode}`
  return address.href
}

/** Returns whether the connection is encrypted, by the server's own view. */
async function isEncrypted(url: string): Promise<unknown> {
  const connection = await openConnection({ url, deadlineMs: 10_000 })
  const [row] = await connection.query<{ ssl: boolean }>(IS_ENCRYPTED)
  connection.destroy('done')
  return row?.ssl
}

/** Returns the same for a process that trusts the authority by NODE_EXTRA_CA_CERTS. */
async function isEncryptedTrusting(url: string): Promise<unknown> {
  const script = `import { openConnection } from './edge/stores/postgres/connection.ts'
    const connection = await openConnection({ url: process.env.DATABASE_URL, deadlineMs: 10000 })
    console.log(JSON.stringify((await connection.query(process.env.QUERY))[0].ssl))
    process.exit(0)`
  const env = { ...process.env, DATABASE_URL: url, QUERY: IS_ENCRYPTED, NODE_EXTRA_CA_CERTS: authority }
  const args = ['--import', 'tsx', '--input-type=module', '-e', script]
  return JSON.parse((await run(process.execPath, args, { cwd: ROOT, env })).stdout)
}

test('require encrypts with a certificate of any authority', async () => {
  expect(await isEncrypted(addressOf(tlsUrl, 'require'))).toBe(true)
  expect(await isEncrypted(addressOf(tlsUrl, 'disable'))).toBe(false)
})

test('a server without TLS is refused where TLS is required', async () => {
  for (const mode of ['require', 'verify-full']) {
    await expect(isEncrypted(addressOf(plainUrl, mode)), mode).rejects.toThrow()
  }
})

test('verify-full accepts a certificate of a trusted authority for that name', async () => {
  expect(await isEncryptedTrusting(addressOf(tlsUrl, 'verify-full'))).toBe(true)
})

test('verify-full refuses an unknown authority with an error that names the certificate', async () => {
  await expect(isEncrypted(addressOf(tlsUrl, 'verify-full'))).rejects.toThrow(/certificate/)
})

test('verify-full refuses a certificate for another name, an address too', async () => {
  await expect(isEncryptedTrusting(addressOf(tlsUrl, 'verify-full', '127.0.0.1'))).rejects.toThrow(/127\.0\.0\.1/)
})
