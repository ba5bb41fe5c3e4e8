// Tests that a mail server at which nothing listens is seen: in the log of the start and of the mails, in the metrics, by the doctor.

import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../tools/servers/server-process.ts'
import { type GivenEdge, givenEdge, inboxCampaign } from '../support/given.ts'
import { givenDashboard } from '../support/given-dashboard.ts'
import { givenNc } from '../support/given-nc.ts'
import { givenSmtp } from '../support/given-smtp.ts'
import { openSandbox } from '../support/open-sandbox.ts'

type Line = Record<string, unknown>
interface Finding {
  check: string
  verdict: string
  words: string
}

const MAILS = 20
const lines: Line[] = []
let port: number
let given: GivenEdge
beforeAll(async () => {
  port = await findFreePort()
  given = await givenEdge(
    { SMTP_URL: `smtp://127.0.0.1:${port}`, EMAIL_FROM: 'hello@shop.example', OUTBOUND_ALLOW: '127.0.0.0/8' },
    { writeLog: (line) => void lines.push(JSON.parse(line)) },
  )
  await openSandbox(given)
})
afterAll(() => given.stop())

const linesOf = (msg: string) => lines.filter((line) => line.msg === msg)
const doctorOf = async (env: Record<string, string | undefined>): Promise<Finding[]> =>
  JSON.parse((await givenNc(env).nc('doctor --json')).out).findings
const checksOf = async (check: string, env: Record<string, string | undefined>) =>
  (await doctorOf(env)).filter((one) => one.check === check).map(({ verdict, words }) => `${verdict}: ${words}`)

test('the start says that the mail server cannot be reached, and so does the doctor', async () => {
  const words = `The mail server at 127.0.0.1:${port} takes no mails. The mail server could not be reached.`
  await expect
    .poll(() => linesOf('the doctor finds a fault').filter(({ kind }) => kind === 'Mail server'))
    .toHaveLength(1)
  const [line] = linesOf('the doctor finds a fault').filter(({ kind }) => kind === 'Mail server')
  expect(line).toMatchObject({ level: 'warn', reason: expect.stringContaining(words) })
  expect(await checksOf('Mail server', given.settings)).toEqual([expect.stringContaining(`wrong: ${words}`)])
})

test('twenty mails to it are one line of the log, and the metrics have their number and age', async () => {
  const mail = { id: 'mail', type: 'email', subject: 'Paid', markdown: 'Thank you' }
  await given.publish(inboxCampaign('order', 'order.paid', { steps: [mail] }))
  for (let at = 0; at < MAILS; at++) {
    const user = { email: `u${at}@mail.example` }
    await given.call('PUT', `/v1/users/u${at}`, { key: given.demo.environments.dev.sdkSecretKey, body: user })
    await given.track({ name: 'order.paid', userId: `u${at}`, properties: {} })
  }
  const read = async () => {
    const { body } = await given.call<string>('GET', '/metrics')
    const numberOf = (series: string) =>
      Number(
        body
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      )
    return {
      waiting: numberOf('nc_waiting{kind="mail"}'),
      oldest: numberOf('nc_waiting_oldest_seconds{kind="mail"}'),
      failing: numberOf('nc_mail_integrations_failing{provider="smtp"}'),
    }
  }
  await expect.poll(async () => (await read()).waiting).toBe(MAILS)
  await expect.poll(async () => (await read()).oldest).toBeGreaterThan(0)
  await expect.poll(async () => (await read()).failing).toBe(1)
  expect(linesOf('mails are not taken')).toMatchObject([
    { level: 'warn', setting: 'SMTP_URL', kind: 'smtp', reason: 'The mail server could not be reached.' },
  ])
})

test('the doctor names ?tls=none and OUTBOUND_ALLOW where they are the cause', async () => {
  const smtp = await givenSmtp()
  const url = `smtp://${smtp.host}:${smtp.port}`
  const check = (env: Record<string, string>) => checksOf('Mail server', { ...given.settings, ...env })
  expect(await check({ SMTP_URL: url })).toEqual([expect.stringMatching(/^wrong: .*no STARTTLS.*needs \?tls=none/)])
  expect(await check({ SMTP_URL: `${url}?tls=none` })).toEqual([expect.stringMatching(/^ok: /)])
  await smtp.stop()
  // What the server told counts before the shell of the command.
  const alone = { DATA_DIR: given.settings.DATA_DIR, SMTP_URL: `${url}?tls=none`, PORT: given.settings.PORT }
  expect(await checksOf('Mail server', alone)).toEqual([expect.stringMatching(/^wrong: .*OUTBOUND_ALLOW must contain/)])
})

test('the doctor asks the port and the public address', async () => {
  const own = `http://127.0.0.1:${given.settings.PORT}`
  expect(await checksOf('Port', given.settings)).toEqual([`ok: This service answers at ${own}.`])
  const wrongPath = { ...given.settings, PUBLIC_URL: `${own}/notifications` }
  expect(await checksOf('Public address', wrongPath)).toEqual([expect.stringMatching(/^wrong: .*its path too/)])
  const other = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const taken = other.address()
  const otherPort = typeof taken === 'object' ? String(taken?.port) : ''
  expect(await checksOf('Port', { ...given.settings, PORT: otherPort })).toEqual([
    expect.stringMatching(/^wrong: Another program answers/),
  ])
  other.close()
})

test('a start says that what answers at the public address is not this service, but not that a proxy waits for it', async () => {
  const proxy = createHttpServer(({ url }, response) => void response.writeHead(url === '/healthz' ? 503 : 404).end())
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const found: Line[] = []
  const writeLog = (line: string): void => void found.push(JSON.parse(line))
  const waiting = await givenEdge({ PUBLIC_URL: address }, { writeLog })
  const wrong = await givenEdge({ PUBLIC_URL: `${address}/notifications` }, { writeLog })
  const reasons = () => found.filter(({ kind }) => kind === 'Public address').map(({ reason }) => reason)
  await expect
    .poll(reasons)
    .toEqual([expect.stringContaining(`answers at ${address}/notifications is not this service (404`)])
  for (const edge of [waiting, wrong]) await edge.stop()
  await new Promise((resolve) => proxy.close(resolve))
})

test('the doctor tries the mail servers of integrations too, each with its remedy', async () => {
  const smtp = await givenSmtp()
  const key = given.demo.environments.dev.sdkSecretKey
  const add = async (name: string, credentials: Record<string, string>) => {
    const body = { name, provider: 'smtp', credentials, from: { address: 'hello@shop.example' } }
    expect(await given.call('POST', '/v1/email/integrations', { key, body })).toMatchObject({ status: 201 })
  }
  const place = { host: smtp.host, port: String(smtp.port) }
  await add('works', { ...place, tls: 'none' })
  await add('encrypts', place)
  await add('dead', { host: '127.0.0.1', port: String(port), tls: 'none', user: 'u', password: 'a-secret-word' })
  await add('private', { host: '10.255.255.1', port: '25', tls: 'none' })
  const dev = `dev ${given.demo.environments.dev.id}`
  const found = (await checksOf(dev, given.settings)).filter((line) => line.includes('The integration'))
  expect(found).toEqual([
    expect.stringMatching(/^wrong: The integration encrypts \(smtp\) fails\. .*no STARTTLS.*\?tls=none/),
    expect.stringMatching(
      /^wrong: The integration dead \(smtp\) fails\. .*could not be reached\. Correct the integration/,
    ),
    expect.stringMatching(/^wrong: The integration private \(smtp\) fails\. .*OUTBOUND_ALLOW must contain its address/),
  ])
  expect(found.join()).not.toContain('a-secret-word')
  await smtp.stop()
})

test('the doctor tries accounts at providers by a call that sends nothing, and says which cannot be tried', async () => {
  const calls: string[] = []
  const api = createHttpServer(({ method, url }, response) => {
    calls.push(`${method} ${url}`)
    const isRight = url?.startsWith('/right/') === true
    response.writeHead(isRight ? 200 : 401).end('{"Message":"wrong","message":"wrong: a-secret-key"}')
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  const { port: apiPort } = api.address() as AddressInfo
  const key = given.demo.environments.dev.sdkSecretKey
  const add = async (name: string, provider: string, credentials: Record<string, string>, at: string) => {
    const baseUrl = `http://127.0.0.1:${apiPort}/${at}`
    const body = { name, provider, credentials: { ...credentials, baseUrl }, from: { address: 'hello@shop.example' } }
    expect(await given.call('POST', '/v1/email/integrations', { key, body })).toMatchObject({ status: 201 })
  }
  await add('right', 'brevo', { apiKey: 'a-secret-key' }, 'right')
  await add('refused', 'postmark', { serverToken: 'a-secret-key' }, 'wrong')
  await add('sends-only', 'mailgun', { apiKey: 'a-secret-key', domain: 'mg.shop.example' }, 'wrong')
  await add('tests', 'postmark', { serverToken: 'POSTMARK_API_TEST' }, 'right')
  const dev = `dev ${given.demo.environments.dev.id}`
  const found = (await checksOf(dev, given.settings)).filter(
    (line) => !line.includes('(smtp)') && /integration/.test(line),
  )
  expect(found).toEqual([
    expect.stringMatching(
      /^wrong: The integration refused \(postmark\) fails\. Its provider refuses the account \(401/,
    ),
    expect.stringMatching(/^note: The integration sends-only \(mailgun\) cannot be tried without sending/),
    expect.stringMatching(/^note: The integration tests \(postmark\) is for tests\. .*delivers none/),
  ])
  expect(found.join()).not.toContain('a-secret-key')
  // The server hands over mails that waited, as it may now.
  expect(calls.filter((call) => call.startsWith('GET')).sort()).toEqual([
    'GET /right/v3/account',
    'GET /wrong/server',
    'GET /wrong/v4/domains/mg.shop.example',
  ])
  await new Promise((resolve) => api.close(resolve))

  const { id: prod } = given.demo.environments.prod
  const credentials = { serverToken: 'POSTMARK_API_TEST' }
  const owner = await givenDashboard(given).signIn(given.demo.dashboard.email, given.demo.dashboard.password)
  const body = { name: 'tests', provider: 'postmark', credentials, from: { address: 'hello@shop.example' } }
  const added = await owner.call('POST', `/v1/dashboard/environments/${prod}/email/integrations`, { body })
  expect(added.status).toBe(201)
  expect(await checksOf(`prod ${prod}`, given.settings)).toContainEqual(
    expect.stringMatching(/^wrong: The integration tests \(postmark\) is for tests/),
  )
})
