// Checks the credentials of an integration against the fields of its provider.

import type { CredentialField, Credentials } from '../../domain/mail/mail-provider.ts'

export interface CredentialFault {
  /** The field. */
  path: string
  message: string
}

const MAX_CHARS = 8192

/** A field whose value has several lines, such as a private key in PEM. */
const MULTILINE = new Set(['dkimPrivateKey', 'webhookPublicKey'])

/** Lets regions, proxies and tests choose the address of a provider's API. */
export function baseUrlField(byDefault: string): CredentialField {
  return { name: 'baseUrl', label: `Address of the API, such as ${byDefault}`, isSecret: false, isRequired: false }
}

/** @returns the faults that all providers have in common */
export function checkFields(fields: readonly CredentialField[], credentials: Credentials): CredentialFault[] {
  const names = new Set(fields.map(({ name }) => name))
  const unknown = Object.keys(credentials).filter((name) => !names.has(name))
  return [
    ...unknown.map((path) => ({ path, message: 'Is no field of this provider.' })),
    ...fields.flatMap((field) => {
      const message = findFault(field, Object.hasOwn(credentials, field.name) ? credentials[field.name] : undefined)
      return message === undefined ? [] : [{ path: field.name, message }]
    }),
  ]
}

function findFault({ name, isRequired, values }: CredentialField, value: unknown): string | undefined {
  if (value === undefined) return isRequired ? 'Is required.' : undefined
  if (typeof value !== 'string' || value.trim() === '') return 'Must be a text that is not empty.'
  if (value.length > MAX_CHARS) return `Longer than ${MAX_CHARS} characters.`
  const isClean = MULTILINE.has(name) ? !/[^\P{C}\r\n\t]/u.test(value) : !/\p{C}/u.test(value)
  if (!isClean) return 'Holds a line break or another control character.'
  if (values !== undefined && !values.includes(value)) return `Must be one of: ${values.join(', ')}.`
  if (name === 'baseUrl' && !isBaseUrl(value)) return 'Must be an https address without user, query and fragment.'
  return undefined
}

/** Plain http passes here; the outbound guard permits it for addresses of OUTBOUND_ALLOW alone. */
function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, search, hash } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && `${username}${password}${search}${hash}` === ''
}

/** @returns the address of the API without a slash at its end */
export function baseUrlOf(credentials: Credentials, byDefault: string): string {
  return (credentials.baseUrl ?? byDefault).replace(/\/+$/, '')
}
