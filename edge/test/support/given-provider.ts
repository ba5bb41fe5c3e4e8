// Starts an OpenID Connect provider whose answers the test decides, also wrong ones. It verifies PKCE and the client secret.

import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose'

export const CLIENT = { clientId: 'notifications', clientSecret: 'a secret of the client +/&' }

export interface Identity {
  sub: string
  email?: string
  email_verified?: boolean | string
  name?: string
}

export interface GivenProvider {
  issuer: string
  /** The person who is signed in at the provider. */
  identity: Identity
  /** Changes the claims of the next ID tokens. */
  changeClaims: (claims: Record<string, unknown>) => Record<string, unknown>
  /** Signs the next ID tokens with a key that the provider does not publish. */
  usesForeignKey: boolean
  /** Answers profile claims at the userinfo endpoint alone. */
  hidesProfile: boolean
  /** Does what a browser does at the provider's page. Returns the address to which it is sent back. */
  authorize(location: string): string
  stop(): Promise<void>
}

interface Grant {
  challenge: string
  nonce: string
  redirectUri: string
}

/** A pair takes 150 ms of processor time, so all providers of a process have the same; each has its own issuer. */
let keyPairs: Promise<[own: GenerateKeyPairResult, foreign: GenerateKeyPairResult]> | undefined

export async function givenProvider(): Promise<GivenProvider> {
  keyPairs ??= Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const [own, foreign] = await keyPairs
  const grants = new Map<string, Grant>()
  const kid = 'key-1'

  async function idToken(nonce: string): Promise<string> {
    const { sub, ...profile } = provider.identity
    const now = Math.floor(Date.now() / 1000)
    const base = { iss: provider.issuer, aud: CLIENT.clientId, sub, nonce, iat: now, exp: now + 60 }
    const claims = provider.changeClaims({ ...base, ...(provider.hidesProfile ? {} : profile) })
    const { privateKey } = provider.usesForeignKey ? foreign : own
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
  }

  async function takeCode(request: IncomingMessage): Promise<object | undefined> {
    const body = new URLSearchParams(await readText(request))
    const code = body.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const expected = [CLIENT.clientId, CLIENT.clientSecret].map((text) =>
      new URLSearchParams([['', text]]).toString().slice(1),
    )
    const isClient = request.headers.authorization === `Basic ${Buffer.from(expected.join(':')).toString('base64')}`
    if (grant === undefined || !isClient || challenge !== grant.challenge) return undefined
    if (body.get('redirect_uri') !== grant.redirectUri) return undefined
    return { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: await idToken(grant.nonce) }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const { issuer } = provider
    // A browser that is sent here is signed in already, and goes straight back.
    if (request.url?.startsWith('/authorize?')) {
      response.writeHead(303, { location: provider.authorize(`${issuer}${request.url}`) }).end()
      return
    }
    switch (request.url) {
      case '/.well-known/openid-configuration':
        send(200, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          userinfo_endpoint: `${issuer}/me`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        })
        return
      case '/keys':
        send(200, { keys: [{ ...(await exportJWK(own.publicKey)), kid, alg: 'RS256', use: 'sig' }] })
        return
      case '/me':
        send(200, provider.identity)
        return
      case '/token': {
        const tokens = await takeCode(request)
        send(tokens === undefined ? 400 : 200, tokens ?? { error: 'invalid_grant' })
        return
      }
      default:
        send(404, {})
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const provider: GivenProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    identity: { sub: 'nobody' },
    changeClaims: (claims) => claims,
    usesForeignKey: false,
    hidesProfile: false,
    authorize(location) {
      const { origin, pathname, searchParams } = new URL(location)
      const read = (name: string) => searchParams.get(name) ?? ''
      const isRequest = `${origin}${pathname}` === `${provider.issuer}/authorize` && read('response_type') === 'code'
      if (!isRequest || read('code_challenge_method') !== 'S256') throw new Error(`no request of a client: ${location}`)
      const code = randomBytes(12).toString('base64url')
      const redirectUri = read('redirect_uri')
      grants.set(code, { challenge: read('code_challenge'), nonce: read('nonce'), redirectUri })
      return `${redirectUri}?${new URLSearchParams({ code, state: read('state') })}`
    },
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return provider
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
