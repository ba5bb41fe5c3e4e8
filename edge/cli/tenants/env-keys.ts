// Implements `nc env set-public-key` and `nc env set-identity-provider`, which register further authentication of users.

import { fillPreset, PROVIDER_PRESETS } from '../../../contract/identity-providers.ts'
import type { ClaimPaths, IdentityProvider } from '../../../contract/resources/token-keys.ts'
import { CLIENT_CLAIMS, type ClientClaim } from '../../../contract/tenant.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import { readText } from '../read-json.ts'
import { change } from './env-answer.ts'

const CLAIM: Flag = {
  value: 'field=path',
  meaning: 'Where userId (default: sub), email, name or locale stand in the claims.',
  many: true,
}
const PRESETS = PROVIDER_PRESETS.map(({ name }) => name).join(', ')
const NONE: Flag = { meaning: 'Removes it instead; its sessions end.' }

export function envKeyCommands(env: Record<'env', Flag>): Command[] {
  return [
    {
      noun: 'env',
      verb: 'set-public-key',
      summary: 'Registers the public key that signed JWTs are verified with (authType signedJwt).',
      flags: {
        ...env,
        file: { value: 'path', meaning: 'A PEM text or a JWK.' },
        algorithm: { value: 'name', meaning: 'Such as RS256, ES256 or EdDSA.' },
        claim: CLAIM,
        none: NONE,
      },
      async run(input, context) {
        refuseBoth(input, ['file', 'algorithm', 'claim'])
        if (input.has('none')) return change(input, context, { publicKey: null })
        const key = readText(input.text('file'))
        const publicKey = { algorithm: input.text('algorithm'), key, claims: parseClaimPaths(input) }
        return change(input, context, { publicKey })
      },
    },
    {
      noun: 'env',
      verb: 'set-identity-provider',
      summary: 'Registers the identity provider whose JWTs are taken (authType jwt).',
      flags: {
        ...env,
        preset: { value: 'name', meaning: `One of ${PRESETS}. The other flags replace what it says.` },
        value: {
          value: 'name=text',
          meaning: 'What a preset has in braces, such as domain=acme.eu.auth0.com.',
          many: true,
        },
        issuer: { value: 'text', meaning: 'The iss of its tokens.' },
        audience: { value: 'text', meaning: 'The client that its tokens are issued for.' },
        'client-claim': {
          value: 'claim',
          meaning: 'The claim that names the client: aud (default), client_id or azp.',
        },
        'jwks-url': { value: 'address', meaning: 'Where its keys are.' },
        algorithm: { value: 'name', meaning: 'Such as RS256 or ES256.', many: true },
        claim: CLAIM,
        none: NONE,
      },
      async run(input, context) {
        refuseBoth(input, ['preset', 'value', 'issuer', 'audience', 'client-claim', 'jwks-url', 'algorithm', 'claim'])
        return change(input, context, { identityProvider: input.has('none') ? null : readProvider(input) })
      },
    },
  ]
}

/** Refuses `--none` together with the flags of a new key or provider. */
function refuseBoth(input: Input, flags: string[]): void {
  const other = flags.find((flag) => input.has(flag))
  if (input.has('none') && other !== undefined) throw new UsageError(`--none goes without --${other}.`)
}

function readProvider(input: Input): IdentityProvider {
  const name = input.find('preset')
  const preset = PROVIDER_PRESETS.find((one) => one.name === name)
  if (name !== undefined && preset === undefined) throw new UsageError(`--preset must be one of ${PRESETS}.`)
  const known = preset && fillPreset(preset, readValues(input))
  const algorithms = input.list('algorithm')
  return {
    issuer: input.find('issuer') ?? known?.issuer ?? input.text('issuer'),
    audience: input.find('audience') ?? known?.audience ?? input.text('audience'),
    clientClaim: readClientClaim(input) ?? known?.clientClaim ?? 'aud',
    jwksUrl: input.find('jwks-url') ?? known?.jwksUrl ?? input.text('jwks-url'),
    algorithms: algorithms.length > 0 ? algorithms : (known?.algorithms ?? []),
    claims: parseClaimPaths(input, known?.claims),
  }
}

function readValues(input: Input): Record<string, string> {
  return Object.fromEntries(
    input.list('value').map((pair) => {
      const [, name, text] = /^(\w+)=(\S+)$/.exec(pair) ?? []
      if (name === undefined || text === undefined)
        throw new UsageError(`--value "${pair}" is not of the form name=text.`)
      return [name, text]
    }),
  )
}

function readClientClaim(input: Input): ClientClaim | undefined {
  const given = input.find('client-claim')
  const known = CLIENT_CLAIMS.find((claim) => claim === given)
  if (given !== undefined && known === undefined)
    throw new UsageError(`--client-claim must be one of ${CLIENT_CLAIMS.join(', ')}.`)
  return known
}

function parseClaimPaths(input: Input, known: ClaimPaths = { userId: 'sub' }): ClaimPaths {
  const paths: ClaimPaths = { ...known }
  for (const pair of input.list('claim')) {
    const match = /^(userId|email|name|locale)=(\S+)$/.exec(pair)
    if (match === null)
      throw new UsageError(`--claim "${pair}" is not of the form userId=path, email=, name= or locale=.`)
    paths[match[1] as keyof ClaimPaths] = match[2] as string
  }
  return paths
}
