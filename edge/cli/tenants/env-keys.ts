// Implements `nc env set-public-key` and `nc env set-identity-provider`, which register further authentication of users.

import { readFileSync } from 'node:fs'
import type { ClaimPaths } from '../../../contract/tenant.ts'
import { type Command, type Flag, type Input, UsageError } from '../command.ts'
import { getEnvironment } from '../targets.ts'
import { shown } from './env-answer.ts'

const CLAIM: Flag = {
  value: 'field=path',
  meaning: 'Where userId (default: sub), email, name or locale stand in the claims.',
  many: true,
}
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
        const { stores, changeEnvironment } = await context.tools()
        const { id } = await getEnvironment(input, stores)
        if (input.has('none')) return shown(context, await changeEnvironment.setPublicKey(id, context.by, null))
        const key = readFileSync(input.text('file'), 'utf8')
        const publicKey = { algorithm: input.text('algorithm'), key, claims: parseClaimPaths(input) }
        return shown(context, await changeEnvironment.setPublicKey(id, context.by, publicKey))
      },
    },
    {
      noun: 'env',
      verb: 'set-identity-provider',
      summary: 'Registers the identity provider whose JWTs are taken (authType jwt).',
      flags: {
        ...env,
        issuer: { value: 'text', meaning: 'The iss of its tokens.' },
        audience: { value: 'text', meaning: 'The aud of its tokens.' },
        'jwks-url': { value: 'address', meaning: 'Where its keys are.' },
        algorithm: { value: 'name', meaning: 'Such as RS256 or ES256.', many: true },
        claim: CLAIM,
        none: NONE,
      },
      async run(input, context) {
        refuseBoth(input, ['issuer', 'audience', 'jwks-url', 'algorithm', 'claim'])
        const { stores, changeEnvironment } = await context.tools()
        const { id } = await getEnvironment(input, stores)
        if (input.has('none')) return shown(context, await changeEnvironment.setIdentityProvider(id, context.by, null))
        const provider = {
          issuer: input.text('issuer'),
          audience: input.text('audience'),
          jwksUrl: input.text('jwks-url'),
          algorithms: input.list('algorithm'),
          claims: parseClaimPaths(input),
        }
        return shown(context, await changeEnvironment.setIdentityProvider(id, context.by, provider))
      },
    },
  ]
}

/** Refuses `--none` together with the flags of a new key or provider. */
function refuseBoth(input: Input, flags: string[]): void {
  const other = flags.find((flag) => input.has(flag))
  if (input.has('none') && other !== undefined) throw new UsageError(`--none goes without --${other}.`)
}

function parseClaimPaths(input: Input): ClaimPaths {
  const paths: ClaimPaths = { userId: 'sub' }
  for (const pair of input.list('claim')) {
    const match = /^(userId|email|name|locale)=(\S+)$/.exec(pair)
    if (match === null)
      throw new UsageError(`--claim "${pair}" is not of the form userId=path, email=, name= or locale=.`)
    paths[match[1] as keyof ClaimPaths] = match[2] as string
  }
  return paths
}
