// Lists presets of identity providers: what their tokens are verified by, with names in braces for what differs.

import { IN_BRACES } from './in-braces.ts'
import type { IdentityProvider } from './resources/token-keys.ts'
import type { ClientClaim } from './tenant.ts'

export interface ProviderPreset {
  name: string
  label: string
  /** Values with names such as `{domain}`, which the customer replaces. */
  provider: IdentityProvider
}

const PROFILE = { userId: 'sub', email: 'email', name: 'name', locale: 'locale' }

/** @param keys The path of the key set below the issuer, or its whole address. */
function preset(
  [name, label]: [name: string, label: string],
  issuer: string,
  keys: string,
  [clientClaim, audience]: [ClientClaim, string],
  { algorithms = ['RS256'], claims = PROFILE }: Partial<IdentityProvider> = {},
): ProviderPreset {
  const jwksUrl = keys.startsWith('https:') ? keys : issuer.replace(/\/$/, '') + keys
  return { name, label, provider: { issuer, audience, clientClaim, jwksUrl, algorithms, claims } }
}

const JWKS = '/.well-known/jwks.json'

/** In the order of their labels. */
export const PROVIDER_PRESETS: readonly ProviderPreset[] = [
  preset(['auth0', 'Auth0'], 'https://{domain}/', JWKS, ['aud', '{clientId}']),
  preset(
    ['cognito', 'Amazon Cognito'],
    'https://cognito-idp.{region}.amazonaws.com/{userPoolId}',
    JWKS,
    // Access tokens have `client_id` and no `aud`.
    ['client_id', '{clientId}'],
  ),
  // Its tokens name the site that they were issued for.
  preset(['clerk', 'Clerk'], 'https://{frontendApi}', JWKS, ['azp', 'https://{site}']),
  preset(
    ['firebase', 'Firebase'],
    'https://securetoken.google.com/{projectId}',
    'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
    ['aud', '{projectId}'],
  ),
  // The `aud` of its access tokens is `account`.
  preset(['keycloak', 'Keycloak'], 'https://{host}/realms/{realm}', '/protocol/openid-connect/certs', [
    'azp',
    '{clientId}',
  ]),
  preset(
    ['entra', 'Microsoft Entra ID'],
    'https://login.microsoftonline.com/{tenantId}/v2.0',
    'https://login.microsoftonline.com/{tenantId}/discovery/v2.0/keys',
    ['aud', '{clientId}'],
  ),
  preset(['supabase', 'Supabase'], 'https://{projectRef}.supabase.co/auth/v1', JWKS, ['aud', 'authenticated'], {
    algorithms: ['ES256', 'RS256'],
    claims: { ...PROFILE, name: 'user_metadata.full_name', locale: 'user_metadata.locale' },
  }),
]

/** Puts values in place of the names; other names stay. */
export function fillPreset({ provider }: ProviderPreset, values: Readonly<Record<string, string>>): IdentityProvider {
  const fill = (text: string) =>
    text.replace(IN_BRACES, (braces, name: string) => (Object.hasOwn(values, name) ? (values[name] as string) : braces))
  return {
    ...provider,
    issuer: fill(provider.issuer),
    audience: fill(provider.audience),
    jwksUrl: fill(provider.jwksUrl),
  }
}
