// Calls of the own account: one-time codes, recovery codes and passkeys.

import type { Page } from '../../contract/api.ts'
import type {
  FactorProof,
  NewTotpAnswer,
  PasskeyAnswer,
  RecoveryCodes,
  SecondFactorAnswer,
} from '../../contract/resources/own-account.ts'
import type { ApiClient } from './client.ts'

const AUTH = '/v1/dashboard/auth'

export type AccountApi = ReturnType<typeof createAccountApi>

export function createAccountApi(client: ApiClient) {
  const passkey = (id: string) => `${AUTH}/passkeys/${encodeURIComponent(id)}`
  return {
    secondFactor: (signal?: AbortSignal) => client.get<SecondFactorAnswer>(`${AUTH}/second-factor`, {}, signal),
    beginTotp: (password: string) => client.send<NewTotpAnswer>('POST', `${AUTH}/totp`, { password }),
    confirmTotp: (code: string) => client.send<RecoveryCodes>('POST', `${AUTH}/totp/confirm`, { code }),
    switchTotpOff: (proof: FactorProof) => client.send('POST', `${AUTH}/totp/off`, proof),
    renewRecoveryCodes: (proof: FactorProof) => client.send<RecoveryCodes>('POST', `${AUTH}/recovery-codes`, proof),
    passkeys: (signal?: AbortSignal) => client.get<Page<PasskeyAnswer>>(`${AUTH}/passkeys`, {}, signal),
    passkeyOptions: (password: string) =>
      client.send<PublicKeyCredentialCreationOptionsJSON>('POST', `${AUTH}/passkeys/options`, { password }),
    addPasskey: (name: string, response: object) =>
      client.send<PasskeyAnswer>('POST', `${AUTH}/passkeys`, { name, response }),
    renamePasskey: (id: string, name: string) => client.send<PasskeyAnswer>('PUT', passkey(id), { name }),
    removePasskey: (id: string) => client.send('DELETE', passkey(id)),
  }
}
