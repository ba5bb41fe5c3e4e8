// Asks the device for a passkey: to make a new one, or to sign in.

import { InvalidInput } from './invalid-input.ts'

/** @returns Whether this browser can use passkeys in this page. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential !== 'undefined' && 'parseCreationOptionsFromJSON' in PublicKeyCredential
}

/** @throws InvalidInput when the device makes none, or the person cancels. */
export function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<object> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return answerOf(navigator.credentials.create({ publicKey }))
}

/** @throws InvalidInput when the device has none, or the person cancels. */
export function askForPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<object> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return answerOf(navigator.credentials.get({ publicKey }))
}

async function answerOf(asked: Promise<Credential | null>): Promise<object> {
  try {
    const credential = await asked
    if (!(credential instanceof PublicKeyCredential)) throw new InvalidInput(NONE)
    return credential.toJSON()
  } catch (cause) {
    if (!(cause instanceof DOMException)) throw cause
    throw new InvalidInput(cause.name === 'InvalidStateError' ? KNOWN : NONE, { cause })
  }
}

const NONE = 'The device gave no passkey, or you have cancelled. Try again.'
const KNOWN = 'This device has a passkey of your account already.'
