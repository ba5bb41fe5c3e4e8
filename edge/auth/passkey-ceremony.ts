// Makes the options of WebAuthn ceremonies and verifies what browsers answer, by `@simplewebauthn/server`.

import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Credential, PasskeyCeremonies } from '../domain/people/passkey-ceremony.ts'

const SERVICE = 'Notification center'
const TIMEOUT_MS = 5 * 60 * 1000

/** Loaded at the first ceremony, because it takes 30 MB and much of the time of a start. */
const load = () => import('@simplewebauthn/server')

const toBase64Url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const fromBase64Url = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))

function descriptorOf({ credentialId, transports }: Credential) {
  // The cast is safe: browsers ignore transports that they do not know.
  return { id: credentialId, transports: transports as AuthenticatorTransport[] }
}

/** The person must always be verified by the device (PIN, finger, face), so that a passkey is two factors. */
export const passkeyCeremonies: PasskeyCeremonies = {
  async registrationOptions({ rpId }, { handle, email, name }, challenge, known) {
    const { generateRegistrationOptions } = await load()
    return generateRegistrationOptions({
      rpName: SERVICE,
      rpID: rpId,
      userID: new Uint8Array(Buffer.from(handle, 'utf8')),
      userName: email,
      userDisplayName: name,
      challenge: new Uint8Array(challenge),
      timeout: TIMEOUT_MS,
      attestationType: 'none',
      excludeCredentials: known.map(descriptorOf),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  },

  async verifyRegistration({ rpId, origin }, challenge, response) {
    const { verifyRegistrationResponse } = await load()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: toBase64Url(challenge),
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
    }).catch(notVerified)
    if (!verified || registrationInfo === undefined) return undefined
    const { id, publicKey, counter, transports = [] } = registrationInfo.credential
    return { credentialId: id, publicKey: toBase64Url(publicKey), counter, transports }
  },

  async signInOptions({ rpId }, challenge) {
    const { generateAuthenticationOptions } = await load()
    return generateAuthenticationOptions({
      rpID: rpId,
      challenge: new Uint8Array(challenge),
      timeout: TIMEOUT_MS,
      userVerification: 'required',
    })
  },

  async verifySignIn({ rpId, origin }, challenge, response, credential) {
    const { verifyAuthenticationResponse } = await load()
    const { counter, publicKey } = credential
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: toBase64Url(challenge),
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { ...descriptorOf(credential), publicKey: fromBase64Url(publicKey), counter },
      requireUserVerification: true,
    }).catch(notVerified)
    return verified ? authenticationInfo?.newCounter : undefined
  },
}

/** The library throws for each part that does not fit; which part is of no use to the caller. */
function notVerified() {
  return { verified: false, registrationInfo: undefined, authenticationInfo: undefined } as const
}
