// Tests the presets of identity providers: their values, filled in, and the names that nobody has filled in.

import { expect, test } from 'vitest'
import { fillPreset, PROVIDER_PRESETS } from './identity-providers.ts'
import { namesInBraces } from './in-braces.ts'

const VALUES = {
  domain: 'acme.eu.auth0.com',
  clientId: 'c1',
  region: 'eu-west-1',
  userPoolId: 'eu-west-1_x',
  frontendApi: 'clerk.acme.example',
  site: 'app.acme.example',
  projectId: 'acme',
  host: 'login.acme.example',
  realm: 'main',
  tenantId: 't1',
  projectRef: 'abc',
}

test.each([
  ['auth0', 'https://acme.eu.auth0.com/', 'https://acme.eu.auth0.com/.well-known/jwks.json', 'aud=c1'],
  [
    'cognito',
    'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_x',
    'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_x/.well-known/jwks.json',
    'client_id=c1',
  ],
  [
    'clerk',
    'https://clerk.acme.example',
    'https://clerk.acme.example/.well-known/jwks.json',
    'azp=https://app.acme.example',
  ],
  [
    'firebase',
    'https://securetoken.google.com/acme',
    'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com',
    'aud=acme',
  ],
  [
    'keycloak',
    'https://login.acme.example/realms/main',
    'https://login.acme.example/realms/main/protocol/openid-connect/certs',
    'azp=c1',
  ],
  [
    'entra',
    'https://login.microsoftonline.com/t1/v2.0',
    'https://login.microsoftonline.com/t1/discovery/v2.0/keys',
    'aud=c1',
  ],
  [
    'supabase',
    'https://abc.supabase.co/auth/v1',
    'https://abc.supabase.co/auth/v1/.well-known/jwks.json',
    'aud=authenticated',
  ],
])('%s', (name, issuer, jwksUrl, client) => {
  const preset = PROVIDER_PRESETS.find((one) => one.name === name)
  if (preset === undefined) throw new Error('no such preset')
  const filled = fillPreset(preset, VALUES)
  expect(filled).toMatchObject({ issuer, jwksUrl })
  expect(`${filled.clientClaim}=${filled.audience}`).toBe(client)
  expect(namesInBraces(preset.provider.issuer + preset.provider.audience).length).toBeGreaterThan(0)
  expect(fillPreset(preset, {})).toEqual(preset.provider)
})

test('names of the prototype are no values', () => {
  const [preset] = PROVIDER_PRESETS
  if (preset === undefined) throw new Error('no preset')
  const provider = { ...preset.provider, issuer: 'https://{constructor}/{toString}' }
  expect(fillPreset({ ...preset, provider }, {}).issuer).toBe('https://{constructor}/{toString}')
})
