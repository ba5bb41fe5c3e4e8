// Calls of the own account: one-time codes, recovery codes and passkeys.

import type { Page } from '../../contract/api.ts'
import type { ApiClient } from './client.ts'

export interface SecondFactorAnswer {
  totp: { isOn: boolean; since: string | null }
  recoveryCodesLeft: number
}

/** The secret of one-time codes, which is in this answer alone. */
export interface NewTotpAnswer {
  secret: string
  /** An `otpauth://` address, for a QR code. */
  url: string
  expiresAt: string
}

export interface PasskeyAnswer {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
}

/** Password and code, for changes of the second factor. */
export interface FactorProof {
  password: string
  code: string
}

const AUTH = '/v1/dashboard/auth'

export type AccountApi = ReturnType<typeof createAccountApi>

export function createAccountApi(client: ApiClient) {
  const passkey = (id: string) => `${AUTH}/passkeys/${encodeURIComponent(id)}`
  return {
    secondFactor: (signal?: AbortSignal) => client.get<SecondFactorAnswer>(`${AUTH}/second-factor`, {}, signal),
    beginTotp: (password: string) => client.send<NewTotpAnswer>('POST', `${AUTH}/totp`, { password }),
    confirmTotp: (code: string) => client.send<{ recoveryCodes: string[] }>('POST', `${AUTH}/totp/confirm`, { code }),
    switchTotpOff: (proof: FactorProof) => client.send('POST', `${AUTH}/totp/off`, proof),
    renewRecoveryCodes: (proof: FactorProof) =>
      client.send<{ recoveryCodes: string[] }>('POST', `${AUTH}/recovery-codes`, proof),
    passkeys: (signal?: AbortSignal) => client.get<Page<PasskeyAnswer>>(`${AUTH}/passkeys`, {}, signal),
    passkeyOptions: (password: string) =>
      client.send<PublicKeyCredentialCreationOptionsJSON>('POST', `${AUTH}/passkeys/options`, { password }),
    addPasskey: (name: string, response: object) =>
      client.send<PasskeyAnswer>('POST', `${AUTH}/passkeys`, { name, response }),
    renamePasskey: (id: string, name: string) => client.send<PasskeyAnswer>('PUT', passkey(id), { name }),
    removePasskey: (id: string) => client.send('DELETE', passkey(id)),
  }
}
