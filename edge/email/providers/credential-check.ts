// Checks credentials of providers' HTTP APIs.

import type { CredentialField } from '../../../contract/resources/email-integration.ts'
import type { Credentials } from '../../domain/mail/mail-provider.ts'

export interface CredentialFault {
  path: string
  message: string
}

/** The field of another address of the API, such as that of a proxy. */
export const baseUrlField = (byDefault?: string): CredentialField => ({
  name: 'baseUrl',
  label: 'Address of the API',
  isSecret: false,
  isRequired: false,
  ...(byDefault !== undefined && { byDefault }),
})

/** Characters that a header takes, without spaces. */
const KEY = /^[\x21-\x7e]+$/

/** Keys must be visible ASCII, `baseUrl` an address without a query. */
export function checkKeysAndUrl(credentials: Credentials, keys: readonly string[]): CredentialFault[] {
  const faults: CredentialFault[] = []
  for (const path of keys) {
    if (!KEY.test(credentials[path] ?? '')) {
      faults.push({ path, message: 'This must be a text of ASCII characters without spaces.' })
    }
  }
  const { baseUrl } = credentials
  if (baseUrl !== undefined && !isBaseUrl(baseUrl)) {
    faults.push({ path: 'baseUrl', message: 'This must be an https address without user, query and fragment.' })
  }
  return faults
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  // Whether http is allowed at that address is for the guard of outbound calls to say.
  return /^https?:$/.test(protocol) && username === '' && password === '' && !/[?#\s]/.test(text)
}

/** The address of a path of the API. */
export const apiUrl = (baseUrl: string, path: string) => baseUrl.replace(/\/+$/, '') + path
