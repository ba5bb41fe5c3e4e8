// Tests `nc email …` beside a running server, from a shell without the settings of the server.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  ChangedEmailIntegrationAnswer,
  EmailIntegrationAnswer,
} from '../../../contract/resources/email-integration.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { givenNc } from '../support/given-nc.ts'
import { type GivenSmtp, givenSmtp } from '../support/given-smtp.ts'

const SERVER = { PUBLIC_URL: 'https://notify.example.com/base', EMAIL_FROM: 'Shop <shop@example.com>' }

let given: GivenEdge
let smtp: GivenSmtp
let nc: ReturnType<typeof givenNc>

beforeAll(async () => {
  smtp = await givenSmtp()
  given = await givenEdge({ ...SERVER, OUTBOUND_ALLOW: '127.0.0.0/8' })
  const { PUBLIC_URL, EMAIL_FROM, OUTBOUND_ALLOW, PORT, ...shell } = given.settings
  nc = givenNc(shell)
})
afterAll(async () => {
  await given.stop()
  await smtp.stop()
})

function create(provider: string, credentials: object, name = provider) {
  const file = join(given.settings.DATA_DIR as string, 'credentials.json')
  writeFileSync(file, JSON.stringify(credentials))
  const env = given.demo.environments.dev.id
  const flags = `--env ${env} --name ${name} --provider ${provider} --credentials-file ${file}`
  return nc.json<ChangedEmailIntegrationAnswer>(`email create ${flags}`)
}

test("the address of a webhook is the server's", async () => {
  const { webhookUrl } = await create('postmark', { serverToken: 'token' })
  expect(webhookUrl).toMatch(/^https:\/\/notify\.example\.com\/base\/v1\/webhooks\/postmark\/whi_/)
  const env = given.demo.environments.dev.id
  const source = await nc.json<{ webhookUrl: string }>(`source create --env ${env} --name Pay --provider stripe`)
  expect(JSON.stringify(source)).toContain('https://notify.example.com/base/')
})

test('a test mail has the sender of the server, and goes where the server may send', async () => {
  const { id } = await create('smtp', { host: '127.0.0.1', port: String(smtp.port), tls: 'none' })
  const env = given.demo.environments.dev.id
  const sent = await nc.json(`email test --env ${env} --integration ${id} --to ada@example.com`)
  expect(sent).toMatchObject({ ok: true })
  const [mail] = await smtp.received(1)
  expect(mail?.raw.toString()).toContain('shop@example.com')
})

test('host, port and user can be read again, and the password cannot', async () => {
  const login = { host: 'mail.example.com', port: '2525', user: 'shop', password: 'battery staple' }
  const { id } = await create('smtp', login, 'second')
  const account = { host: 'mail.example.com', port: '2525', user: 'shop', tls: 'starttls' }
  const key = given.demo.environments.dev.sdkSecretKey
  const one = await given.call<EmailIntegrationAnswer>('GET', `/v1/email/integrations/${id}`, { key })
  const listed = await nc.json<EmailIntegrationAnswer[]>(`email list --env ${given.demo.environments.dev.id}`)
  const shown = await nc.nc(`email list --env ${given.demo.environments.dev.id}`)
  expect(one.body.account).toEqual(account)
  expect(listed.find((integration) => integration.id === id)?.account).toEqual(account)
  expect(shown.out).toContain('host=mail.example.com')
  for (const text of [JSON.stringify(one.body), JSON.stringify(listed), shown.out])
    expect(text).not.toContain('battery')
})
