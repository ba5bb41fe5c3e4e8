// Tests single sign-on by a published OpenID Connect provider (`oidc-provider`), with the calls that a browser makes.
// SQLite alone: the store's suite keeps sign-ons on both engines.

import { once } from 'node:events'
import type { Server } from 'node:http'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../../tools/servers/server-process.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type DashboardPerson, givenDashboard } from '../support/given-dashboard.ts'
import { CLIENT } from '../support/given-provider.ts'

const AUTH = '/v1/dashboard/auth'
const SCOPE = 'openid email profile'

let given: GivenEdge
let dashboard: ReturnType<typeof givenDashboard>
let owner: DashboardPerson
let server: Server
let org: string
beforeAll(async () => {
  given = await givenEdge()
  dashboard = givenDashboard(given)
  org = given.demo.organisation.id
  const { email, password } = given.demo.dashboard
  owner = await dashboard.signIn(email, password)
  const port = await findFreePort()
  const issuer = `http://127.0.0.1:${port}`
  server = createProvider(issuer).listen(port, '127.0.0.1')
  await once(server, 'listening')
  const body = { issuer, ...CLIENT, domains: ['example.com'] }
  const { status } = await owner.call('PUT', `${AUTH}/organisations/${org}/single-sign-on`, { body })
  if (status !== 200) throw new Error('The provider was refused.')
  await dashboard.cli.json(`org trust-domain --org ${org} --domain example.com`)
})
afterAll(async () => {
  server?.closeAllConnections()
  server?.close()
  await given?.stop()
})

/** Signs everybody in under the typed name, and asks for no consent. */
function createProvider(issuer: string): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [`${given.url}${AUTH}/oidc/${org}/callback`],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    cookies: { keys: ['a key of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    // Without them it prints a notice for each.
    ttl: { AccessToken: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    features: { devInteractions: { enabled: true } },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: id !== 'unverified', name: 'Ada' }),
    }),
    async loadExistingGrant({ oidc: { client, session, provider } }) {
      if (client === undefined || session?.accountId === undefined) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope(SCOPE)
      await grant.save()
      return grant
    },
  })
}

/** Follows redirects with cookies to a page of the dashboard, and submits the form of the provider's sign-in. */
async function browse(from: string, name: string): Promise<{ url: URL; cookies: Map<string, string> }> {
  const cookies = new Map<string, string>()
  const send = async (url: URL, form?: Record<string, string>) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
    const body = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }
    const response = await fetch(url, { redirect: 'manual', headers: { cookie }, ...body })
    for (const line of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(key, value)
    }
    return response
  }
  let url = new URL(from)
  let response = await send(url)
  for (let step = 0; step < 12; step++) {
    const location = response.headers.get('location')
    if (location !== null) {
      url = new URL(location, url)
      if (url.pathname === '/sign-in' || url.pathname.startsWith('/org/')) return { url, cookies }
      response = await send(url)
    } else {
      if (!url.pathname.startsWith('/interaction/')) throw new Error(`no way on: ${response.status} ${url.pathname}`)
      response = await send(url, { prompt: 'login', login: name, password: 'any' })
    }
  }
  throw new Error('The redirects do not end.')
}

const start = () => `${given.url}${AUTH}/oidc/${org}/start`

test('a member signs in', async () => {
  await dashboard.join(org, 'grace@example.com', 'editor')
  const { url, cookies } = await browse(start(), 'grace')
  expect(url.pathname).toBe(`/org/${org}/app/home`)
  const person = dashboard.personOf('grace@example.com', `nc_session=${cookies.get('nc_session')}`)
  const { body } = await person.call('GET', `${AUTH}/me`)
  expect(body).toMatchObject({ person: { email: 'grace@example.com' }, session: { organisationId: org } })
})

test('a person whose address is not verified does not', async () => {
  await dashboard.join(org, 'unverified@example.com', 'editor')
  const { url } = await browse(start(), 'unverified')
  expect([url.pathname, url.searchParams.get('error')]).toEqual(['/sign-in', 'not-linked'])
})
