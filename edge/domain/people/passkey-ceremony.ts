// Declares the ceremonies of passkeys (WebAuthn): options for browsers, and the verification of what devices answer.

import type { StoredPasskey } from './passkey.ts'

/** The site that passkeys belong to; those of one host name are unknown to another. */
export interface PasskeySite {
  /** The host name. */
  rpId: string
  origin: string
}

/** The part of a passkey that a ceremony makes and needs. */
export type Credential = Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>

export interface PasskeyCeremonies {
  /** @param person `handle` identifies the person to the device. @returns The options of `navigator.credentials.create`. */
  registrationOptions(
    site: PasskeySite,
    person: { handle: string; email: string; name: string },
    challenge: Uint8Array,
    known: readonly Credential[],
  ): Promise<object>
  /** @returns The new credential; undefined when the response is not valid. */
  verifyRegistration(site: PasskeySite, challenge: Uint8Array, response: object): Promise<Credential | undefined>
  /** @returns The options of `navigator.credentials.get`; the device offers the passkeys that it has of this site. */
  signInOptions(site: PasskeySite, challenge: Uint8Array): Promise<object>
  /** @returns The new counter; undefined when the response is not valid, or the counter is not higher. */
  verifySignIn(
    site: PasskeySite,
    challenge: Uint8Array,
    response: object,
    credential: Credential,
  ): Promise<number | undefined>
}
