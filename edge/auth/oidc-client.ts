// Talks to OpenID Connect providers of organisations by `openid-client`: discovery, PKCE, and verified ID tokens.

import * as oidc from 'openid-client'
import type { ProvenIdentity, Provider, ProviderClient, SignOnRequest } from '../domain/people/single-sign-on.ts'
import { ApiError } from '../lib/api-error.ts'
import type { GuardedFetch } from '../lib/outbound/guarded-fetch.ts'
import { OutboundError } from '../lib/outbound/outbound-error.ts'

const SCOPE = 'openid email profile'
/** Answers without a body, which a Response refuses. */
const BODILESS = new Set([204, 205, 304])

/** @param fetch The guarded fetch, as owners of organisations choose the addresses. */
export function createProviderClient({ fetch }: Pick<GuardedFetch, 'fetch'>): ProviderClient {
  const guardedFetch: oidc.CustomFetch = async (url, { method, headers, body }) => {
    const answer = await fetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
    })
    const kept = ['content-type', 'www-authenticate'].flatMap((name) => {
      const value = answer.headers[name]
      return typeof value === 'string' ? [[name, value] as [string, string]] : []
    })
    return new Response(BODILESS.has(answer.status) ? null : answer.body, { status: answer.status, headers: kept })
  }

  async function discover(issuer: string, clientId: string): Promise<oidc.Configuration> {
    return oidc.discovery(new URL(issuer), clientId, undefined, oidc.None(), {
      [oidc.customFetch]: guardedFetch,
      execute: allowsHttp(issuer) ? [oidc.allowInsecureRequests] : [],
    })
  }

  async function configure({ issuer, clientId, clientSecret }: Provider): Promise<oidc.Configuration> {
    const server = (await discover(issuer, clientId)).serverMetadata()
    const takesPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
    const authentication = takesPost ? oidc.ClientSecretPost(clientSecret) : oidc.ClientSecretBasic(clientSecret)
    const config = new oidc.Configuration(server, clientId, clientSecret, authentication)
    config[oidc.customFetch] = guardedFetch
    if (allowsHttp(issuer)) oidc.allowInsecureRequests(config)
    // The ID token comes over TLS, but a provider on a private network may be without.
    oidc.enableNonRepudiationChecks(config)
    return config
  }

  return {
    async confirm(issuer) {
      await discover(issuer, 'none').catch((error: unknown) => {
        throw unusable(error)
      })
    },

    async authorizationUrl(provider, { redirectUri, state, nonce, verifier }) {
      const config = await configure(provider).catch(failOn)
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        response_type: 'code',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      if (url.protocol !== 'https:' && !allowsHttp(provider.issuer)) throw failed()
      return url.href
    },

    async readIdentity(provider, request, answer) {
      const config = await configure(provider).catch(failOn)
      return readIdentity(config, request, answer).catch(failOn)
    },
  }
}

async function readIdentity(
  config: oidc.Configuration,
  { state, nonce, verifier }: SignOnRequest,
  answer: URL,
): Promise<ProvenIdentity> {
  const tokens = await oidc.authorizationCodeGrant(config, answer, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw failed()
  // Some providers put the e-mail address into the answer of the userinfo endpoint alone.
  const more =
    claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
      ? await oidc.fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims
  return {
    subject: claims.sub,
    email: textOf(more.email),
    // Some providers send texts in place of booleans.
    isEmailVerified: more.email_verified === true || String(more.email_verified) === 'true',
    name: textOf(more.name),
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Plain HTTP reaches only addresses of OUTBOUND_ALLOW, which the guarded fetch decides. */
const allowsHttp = (issuer: string): boolean => new URL(issuer).protocol === 'http:'

/** @returns The failed call inside an error of the library. */
function findOutbound(error: unknown): OutboundError | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if (at instanceof OutboundError) return at
  }
  return undefined
}

/** Converts errors of the library. @throws ApiError always. */
function failOn(error: unknown): never {
  if (error instanceof ApiError) throw error
  const outbound = findOutbound(error)
  if (outbound !== undefined) {
    throw new ApiError(
      'service/unavailable',
      { message: `The identity provider cannot be reached: ${outbound.message}`, reason: 'provider-unreachable' },
      { cause: error },
    )
  }
  if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied') {
    throw new ApiError('auth/unauthenticated', {
      message: 'The identity provider did not let you in.',
      reason: 'single-sign-on-denied',
    })
  }
  throw failed(error)
}

function failed(cause?: unknown): ApiError {
  const message = 'The answer of the identity provider is not valid. Begin again.'
  return new ApiError('auth/unauthenticated', { message, reason: 'single-sign-on-failed' }, { cause })
}

/** @returns The error for the owner who configures a provider. */
function unusable(error: unknown): ApiError {
  const outbound = findOutbound(error)
  const message = `The discovery document of the issuer cannot be read. ${outbound?.message ?? 'It is missing, or of another issuer.'}`
  return new ApiError('request/invalid-body', { message, details: [{ path: 'issuer', message }] }, { cause: error })
}
