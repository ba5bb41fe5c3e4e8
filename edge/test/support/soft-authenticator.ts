// Imitates a device with one passkey, without a browser: a key pair of P-256, `none` attestation, and a counter.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const ATTESTED = 0x40

/** The JSON that `PublicKeyCredential.toJSON()` has. */
export interface SoftResponse {
  id: string
  rawId: string
  type: 'public-key'
  clientExtensionResults: object
  response: Record<string, unknown>
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const uint32 = (value: number) =>
  Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((part) => part & 0xff))

/** @param origin The origin of the page. */
export function createSoftAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const rpIdHash = sha256(new URL(origin).hostname)
  let counter = 0
  let userHandle = ''

  const clientData = (type: string, challenge: unknown) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const common = () => {
    const id = credentialId.toString('base64url')
    return { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} }
  }

  /** The public key as a COSE map: kty EC2, alg ES256, crv P-256, x, y. */
  function coseKey(): Buffer {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const coordinates = [x, y].map((text) => Buffer.from(text, 'base64url'))
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
    const parts = coordinates.flatMap((bytes, at) => [Buffer.from([0x21 + at, 0x58, 0x20]), bytes])
    return Buffer.concat([head, ...parts])
  }

  /** CBOR of `{ fmt: "none", attStmt: {}, authData }`. */
  function attestation(authData: Buffer): Buffer {
    const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)])
    const bytes = Buffer.concat([Buffer.from([0x58, authData.length]), authData])
    const pairs = [text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), bytes]
    return Buffer.concat([Buffer.from([0xa3]), ...pairs])
  }

  return {
    /** Answers the options of a registration. */
    register(options: { challenge?: unknown; user?: { id?: string } }): SoftResponse {
      userHandle = options.user?.id ?? ''
      const flags = Buffer.from([USER_PRESENT | USER_VERIFIED | ATTESTED])
      const length = Buffer.from([0, credentialId.length])
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey()])
      const authData = Buffer.concat([rpIdHash, flags, uint32(counter), credential])
      const response = {
        clientDataJSON: clientData('webauthn.create', options.challenge).toString('base64url'),
        attestationObject: attestation(authData).toString('base64url'),
        transports: ['internal'],
      }
      return { ...common(), response }
    },

    /** Answers the options of a sign-in. */
    assert(options: { challenge?: unknown }): SoftResponse {
      counter++
      const authData = Buffer.concat([rpIdHash, Buffer.from([USER_PRESENT | USER_VERIFIED]), uint32(counter)])
      const json = clientData('webauthn.get', options.challenge)
      const response = {
        clientDataJSON: json.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', Buffer.concat([authData, sha256(json)]), privateKey).toString('base64url'),
        userHandle,
      }
      return { ...common(), response }
    },
  }
}
