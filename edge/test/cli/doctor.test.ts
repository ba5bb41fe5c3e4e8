// Tests the doctor on customers' environments, contradictory settings, and Redis.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createCommandContext } from '../../cli/command-context.ts'
import { checkRedis } from '../../cli/doctor/check-redis.ts'
import { checkReach } from '../../cli/doctor/check-settings.ts'
import { explainStoreFault, findStoreFault } from '../../cli/doctor/explain-fault.ts'
import { parseSettings } from '../../config.ts'
import { parseId } from '../../lib/id.ts'
import { startEdge } from '../../serve.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenNc, ncProcess } from '../support/given-nc.ts'
import { freshDatabase, startRedis } from '../support/servers.ts'

interface Finding {
  check: string
  verdict: string
  words: string
}

describe('environments', () => {
  let given: GivenEdge
  let cli: ReturnType<typeof givenNc>
  beforeAll(async () => {
    given = await givenEdge()
    cli = givenNc(given.settings)
  })
  afterAll(() => given.stop())

  const env = (name: 'dev' | 'prod') => `--env ${given.demo.environments[name].id}`
  const findingsOf = async (name: 'dev' | 'prod') => {
    const { out } = await cli.nc('doctor --json')
    const { findings } = JSON.parse(out) as { findings: Finding[] }
    const own = findings.filter(({ check }) => check.endsWith(given.demo.environments[name].id))
    return own.map(({ verdict, words }) => `${verdict}: ${words}`)
  }

  test('the built command line looks for the widget in the same folder as the sources', async () => {
    const { out } = await cli.nc('doctor --json')
    const built = await ncProcess<{ findings: Finding[] }>(given.settings, 'doctor').catch(
      ({ stdout }: { stdout: string }) => JSON.parse(stdout) as { findings: Finding[] },
    )
    const widgetOf = ({ findings }: { findings: Finding[] }) => findings.find(({ check }) => check === 'Widget')
    expect(widgetOf(built)).toEqual(widgetOf(JSON.parse(out)))
  })

  test('the doctor reports an environment without a campaign, and one whose campaigns are all paused', async () => {
    expect(await findingsOf('dev')).toEqual([expect.stringContaining('note: No campaign is published')])
    await given.publish(inboxCampaign('one', 'one.seen'))
    expect(await findingsOf('dev')).toEqual(['ok: Nothing stands out.'])
    await cli.nc(`campaign pause ${env('dev')} --key one`)
    expect(await findingsOf('dev')).toEqual([expect.stringContaining('All campaigns are paused')])
    await cli.nc(`campaign resume ${env('dev')} --key one`)
  })

  /** Stores an origin in the format of earlier releases. */
  async function storeOldOrigin(origin: string): Promise<void> {
    const context = createCommandContext(given.settings)
    const { environments } = (await context.tools()).stores
    const environment = await environments.find(parseId('environment', given.demo.environments.prod.id) ?? 0)
    if (environment !== undefined) await environments.update({ ...environment, allowedOrigins: [origin] })
    await context.close()
  }

  test('the doctor reports allowed origins that match no page, any page, or pages without TLS', async () => {
    const origins = (...list: string[]) =>
      cli.json(['env', 'set-origins', ...env('prod').split(' '), ...list.flatMap((one) => ['--origin', one])])
    await origins()
    expect(await findingsOf('prod')).toContainEqual(expect.stringContaining('note: Any page may use it'))
    await origins('http://localhost:3000')
    expect(await findingsOf('prod')).toContainEqual(
      expect.stringMatching(/^wrong: Only pages of a developer's own machine/),
    )
    await storeOldOrigin('shop.example')
    expect(await findingsOf('prod')).toContainEqual(
      expect.stringContaining('wrong: The origin shop.example matches no page'),
    )
    await origins('http://shop.example')
    expect(await findingsOf('prod')).toContainEqual(expect.stringContaining('without TLS'))
    await origins('https://shop.example', 'https://*.shop.example', '*.shop.example')
    expect((await findingsOf('prod')).filter((words) => /origin|page/i.test(words))).toEqual([])
  })

  test('the doctor reports when an old secret was last used, when it ends, and that an environment is disabled', async () => {
    await cli.json(`secret rotate ${env('dev')} --kind sdkSecretKey --overlap PT2H`)
    await cli.json(`secret rotate ${env('dev')} --kind webhookSigningSecret`)
    const key = given.demo.environments.dev.sdkSecretKey
    await expect
      .poll(async () => {
        await given.track({ name: 'one.seen', userId: 'u' })
        return findingsOf('dev')
      })
      .toContainEqual(
        expect.stringMatching(
          /^note: The old sdkSecretKey was last used at 2.* callers that still use it are refused then/,
        ),
      )
    const all = await findingsOf('dev')
    expect(all).toContainEqual(expect.stringContaining('The old webhookSigningSecret ends at'))
    expect(all.join()).not.toContain(key)
    const made = await cli.json<{ id: string }>(`source create ${env('dev')} --name Shop --provider segment`)
    expect((await findingsOf('dev')).join()).not.toContain('verificationSecret')
    await cli.json(`source rotate ${env('dev')} --source ${made.id}`)
    expect(await findingsOf('dev')).toContainEqual(
      expect.stringMatching(`^note: The old verificationSecret of the source Shop \\(${made.id}\\) ends at 2`),
    )
    await cli.json(`source delete ${env('dev')} --source ${made.id}`)
    await cli.json(`env disable ${env('dev')}`)
    expect(await findingsOf('dev')).toEqual([expect.stringContaining('Disabled')])
    await cli.json(`env enable ${env('dev')}`)
  })

  test('a new production environment is reported as one without identity provider and public key', async () => {
    const created = await cli.json<{ id: string }>(
      `env create --org ${given.demo.organisation.id} --name live --production`,
    )
    const { out } = await cli.nc('doctor')
    const lines = out.split('\n').filter((line) => line.includes(created.id))
    expect(lines.join('\n')).toContain('No identity provider and no public key')
    expect(lines.join('\n')).not.toContain('sdkKeyMayManage')
  })
})

describe('settings', () => {
  const describeReach = (env: Record<string, string>) =>
    checkReach(parseSettings(env)).map(({ verdict, words }) => `${verdict}: ${words}`)

  test('contradictory settings are reported, each with the remedy', () => {
    expect(describeReach({})).toEqual(['ok: Only this machine reaches it.'])
    expect(describeReach({ HOST: '0.0.0.0' })).toEqual([expect.stringContaining('wrong: PUBLIC_URL is not set')])
    expect(describeReach({ PUBLIC_URL: 'http://n.example' })).toEqual([
      expect.stringContaining('wrong: PUBLIC_URL begins with http'),
    ])
    expect(describeReach({ PUBLIC_URL: 'https://n.example' })).toEqual([
      expect.stringContaining('TRUSTED_PROXIES is 0'),
    ])
    expect(describeReach({ PUBLIC_URL: 'https://n.example', TRUSTED_PROXIES: '1' })).toEqual([
      expect.stringContaining('ok: '),
    ])
    expect(describeReach({ PUBLIC_URL: 'https://n.example', TRUSTED_PROXIES: '1', SEED_DEMO: 'true' })).toEqual([
      expect.stringContaining('wrong: SEED_DEMO is on'),
    ])
    expect(describeReach({ HOST: '::', PUBLIC_URL: 'http://127.0.0.1:3000', SEED_DEMO: 'true' })).toEqual([
      expect.stringContaining('wrong: SEED_DEMO is on'),
    ])
  })
})

describe('Redis', () => {
  const describeCheck = async (url: string) =>
    (await checkRedis(url, 'postgres://x')).map(({ verdict, words }) => `${verdict}: ${words}`)

  test('the doctor reports a Redis that answers, requires a password, refuses the password, or cannot be reached', async () => {
    const server = await startRedis()
    const { host } = new URL(server.url)
    expect(await describeCheck(server.url)).toEqual([`ok: It answers at ${host}.`])
    expect(await describeCheck(`${server.url}/7`)).toEqual([`ok: It answers at ${host}/7.`])
    const warn = vi.spyOn(process, 'emitWarning')
    expect(await describeCheck(`rediss://${host}`)).toEqual([expect.stringMatching(/TLS/)])
    expect(warn.mock.calls).toEqual([])
    warn.mockRestore()
    expect(await describeCheck(`${server.url}/99`)).toEqual([expect.stringContaining('no database of that number')])
    const client = new Redis(server.url)
    await client.config('SET', 'requirepass', 'pass-w0rd')
    client.disconnect()
    expect(await describeCheck(`redis://${host}`)).toEqual([
      expect.stringContaining(`Redis at ${host} wants a password`),
    ])
    const refused = await describeCheck(`redis://:wr0ng-one@${host}`)
    expect(refused).toEqual([expect.stringContaining('refuses the password of REDIS_URL')])
    expect(refused.join()).not.toContain('wr0ng-one')
    expect(await describeCheck(`redis://:pass-w0rd@${host}`)).toEqual([expect.stringContaining('ok: ')])
    // Waits for the end, because after `remove` alone the server may accept connections for a moment.
    await server.stop()
    await server.remove()
    expect(await describeCheck(`redis://:pass-w0rd@${host}`)).toEqual([
      expect.stringContaining('nothing listens there'),
    ])
    expect(await describeCheck('redis://no-such-host.invalid')).toEqual([expect.stringContaining('host name')])
    expect(await checkRedis(null, null)).toEqual([])
  })
})

describe('PostgreSQL', () => {
  const url = 'postgres://ada:s%40crot@db.example:5433/nc?sslmode=require'
  const fault = (code: string, message = 'no') => Object.assign(new Error(message), { code })

  test.each([
    ['28P01', 'PostgreSQL at db.example:5433/nc refuses the password of DATABASE_URL. Put the right one there.'],
    ['3D000', 'has no such database'],
    ['ECONNREFUSED', 'nothing listens there'],
    ['ENOTFOUND', 'host name that is unknown'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'NODE_EXTRA_CA_CERTS'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate of another name'],
  ])('%s is explained', (code, words) => {
    expect(explainStoreFault(fault(code), url)).toContain(words)
    expect(explainStoreFault(new AggregateError([fault(code)]), url)).toContain(words)
    expect(explainStoreFault(new Error('query', { cause: fault(code) }), url)).toContain(words)
  })

  test('the doctor reports a server that cannot be reached and a database that does not exist', async () => {
    const describeCheck = async (url: string) => {
      const settings = { DATABASE_URL: url, MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), DATA_DIR: '/nowhere' }
      const { out, code } = await givenNc(settings).nc('doctor --json')
      const { findings } = JSON.parse(out) as { findings: Finding[] }
      expect([code, out]).toEqual([1, expect.not.stringContaining('s3cr3t')])
      return findings.find(({ check }) => check === 'Store')?.words
    }
    const databaseUrl = new URL(await freshDatabase())
    databaseUrl.pathname = '/no_such_database'
    expect(await describeCheck(databaseUrl.href)).toMatch(/PostgreSQL at \S+\/no_such_database has no such database/)
    databaseUrl.pathname = '/nc'
    databaseUrl.password = 's3cr3t'
    databaseUrl.port = '1'
    expect(await describeCheck(databaseUrl.href)).toContain('nothing listens there')
  })

  test('a command and a start explain it as the doctor does', async () => {
    const databaseUrl = new URL(await freshDatabase())
    databaseUrl.pathname = '/no_such_database'
    const settings = {
      DATABASE_URL: databaseUrl.href,
      MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'no-database-')),
    }
    const words = 'has no such database. Create it (CREATE DATABASE), or correct the name in DATABASE_URL.'
    expect((await givenNc(settings).nc('org list')).err).toContain(words)
    await expect(startEdge({ ...settings, PORT: '0' }, { writeLog() {} })).rejects.toThrow(words)
    databaseUrl.port = '1'
    const away = { ...settings, DATABASE_URL: databaseUrl.href }
    expect((await givenNc(away).nc('org list')).err).toContain('nothing listens there')
    const waiting = new AbortController()
    const lines: string[] = []
    const writeLog = (line: string) => {
      lines.push(line)
      waiting.abort()
    }
    await expect(startEdge({ ...away, PORT: '0' }, { writeLog, signal: waiting.signal })).rejects.toThrow()
    expect(lines.join('')).toMatch(/"reason":"PostgreSQL at [^"]*nothing listens there.*"waiting for PostgreSQL"/)
  })

  test('the file that a command lacks is none of PostgreSQL', async () => {
    const missing = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' })
    expect(findStoreFault(missing, () => url)).toBeUndefined()
    expect(findStoreFault(Object.assign(missing, { syscall: 'connect' }), () => url)).toContain('has no socket')
  })

  test('an unknown error keeps its message, without the password', () => {
    const words = explainStoreFault(new Error('cannot use s@crot or s%40crot'), url)
    expect(words).toBe('cannot use … or …')
  })
})
