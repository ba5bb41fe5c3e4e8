// Parses the settings of an integration with a provider of mail: all faults at once, each with its path.

import type { ErrorDetail } from '../../../contract/errors.ts'
import { MAIL_PROVIDERS, type MailProviderName } from '../../../contract/tenant.ts'
import { createReader, isRecord, type Reader } from '../../domain/field-reader.ts'
import type { MailIntegration } from '../../domain/mail/mail-integration.ts'
import type { CredentialField, Credentials, MailProvider, MailProviders } from '../../domain/mail/mail-provider.ts'
import { ApiError } from '../../lib/api-error.ts'
import { isAddress } from '../../lib/mail-address.ts'
import { withDefaults } from '../mail/open-credentials.ts'

export const MAX_INTEGRATION_NAME_CHARS = 100
/** Keys in PEM have several thousand characters. */
export const MAX_CREDENTIAL_CHARS = 8192
export const PRIORITY_RANGE = { min: 0, max: 1000 } as const
const DEFAULT_PRIORITY = 1
export const MAX_PER_SECOND_RANGE = { min: 0.01, max: 1000 } as const
const MAX_ADDRESS_CHARS = 320
const CONTROL = /\p{Cc}|\p{Zl}|\p{Zp}/u

export interface IntegrationSettings extends Pick<MailIntegration, 'name' | 'from' | 'priority' | 'maxPerSecond'> {
  provider: MailProvider
  /** Null: the stored ones stay. */
  credentials: Credentials | null
  rotateWebhookPassword: boolean
}

/**
 * @param former The provider of the stored integration; null for a new one, which needs credentials.
 * @throws `request/invalid-body` with `details`, which quote no credential.
 */
export function parseIntegration(
  providers: MailProviders,
  input: unknown,
  former: MailProviderName | null,
): IntegrationSettings {
  if (!isRecord(input)) throw new ApiError('request/invalid-body', { message: 'An integration is an object.' })
  const faults: ErrorDetail[] = []
  const reader = createReader(input, '', faults)
  const provider = readProvider(reader, providers)
  const settings = {
    name: readLine(reader, 'name', MAX_INTEGRATION_NAME_CHARS, reader.has('name')) ?? '',
    from: readFrom(reader),
    priority: readPriority(reader),
    maxPerSecond: readMaxPerSecond(reader),
    credentials: provider === undefined ? null : readCredentials(reader, provider, former),
    rotateWebhookPassword: readRotate(reader, provider),
  }
  if (!reader.has('name')) reader.fault('name', 'This is missing.')
  if (faults.length > 0 || provider === undefined) throw new ApiError('request/invalid-body', { details: faults })
  return { ...settings, provider }
}

function readProvider(reader: Reader, providers: MailProviders): MailProvider | undefined {
  if (!reader.has('provider')) reader.fault('provider', 'This is missing.')
  const name = reader.oneOf('provider', MAIL_PROVIDERS)
  const provider = name === undefined ? undefined : providers.get(name)
  if (name !== undefined && provider === undefined) reader.fault('provider', 'This server does not have this provider.')
  return provider
}

function readLine(reader: Reader, key: string, max: number, isGiven = true): string | undefined {
  const text = isGiven ? reader.optionalText(key, max) : undefined
  if (text !== undefined && CONTROL.test(text)) reader.fault(key, 'This must be one line.')
  return text
}

function readFrom(reader: Reader): MailIntegration['from'] {
  const from = reader.object('from')
  if (from === undefined) return null
  const address = from.text('address', MAX_ADDRESS_CHARS) ?? ''
  if (address !== '' && !isAddress(address)) from.fault('address', 'This is no e-mail address.')
  return { name: readLine(from, 'name', MAX_INTEGRATION_NAME_CHARS) ?? null, address }
}

function readPriority(reader: Reader): number {
  const value = reader.raw('priority') ?? DEFAULT_PRIORITY
  const { min, max } = PRIORITY_RANGE
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
  reader.fault('priority', `This must be a whole number from ${min} to ${max}.`)
  return DEFAULT_PRIORITY
}

/** @returns Null without a limit. Thousandths are stored. */
function readMaxPerSecond(reader: Reader): number | null {
  const value = reader.raw('maxPerSecond') ?? null
  const { min, max } = MAX_PER_SECOND_RANGE
  if (value === null) return null
  if (typeof value === 'number' && value >= min && value <= max) return Math.round(value * 1000) / 1000
  reader.fault('maxPerSecond', `This must be a number from ${min} to ${max}, or null.`)
  return null
}

function readRotate(reader: Reader, provider: MailProvider | undefined): boolean {
  const value = reader.raw('rotateWebhookPassword') ?? false
  if (typeof value !== 'boolean') reader.fault('rotateWebhookPassword', 'This must be true or false.')
  if (value !== true) return false
  if (provider?.usesWebhookPassword === false) {
    reader.fault('rotateWebhookPassword', `${provider.title} signs its calls: their address has no password.`)
  }
  return true
}

/** Credentials are replaced as a whole: a new host must never get the stored password. */
function readCredentials(reader: Reader, provider: MailProvider, former: MailProviderName | null): Credentials | null {
  const given = reader.object('credentials')
  if (given === undefined) {
    if (former !== provider.name && !reader.has('credentials')) reader.fault('credentials', 'This is missing.')
    return null
  }
  const known = new Set(provider.fields.map(({ name }) => name))
  for (const key of given.keys()) {
    if (!known.has(key)) given.fault(key, `${provider.title} has the fields ${[...known].join(', ')}.`)
  }
  const credentials: Credentials = {}
  const faulty = new Set<string>()
  for (const field of provider.fields) {
    const value = readField(given, field, () => faulty.add(field.name))
    if (value !== undefined) credentials[field.name] = value
  }
  for (const { path, message } of provider.check(withDefaults(provider, credentials))) {
    if (!faulty.has(path)) given.fault(path, message)
  }
  return credentials
}

function readField(given: Reader, field: CredentialField, onFault: () => void): string | undefined {
  const value = given.raw(field.name)
  const refuse = (message: string) => {
    onFault()
    given.fault(field.name, message)
    return undefined
  }
  if (value === undefined || value === '') return field.isRequired ? refuse('This is missing.') : undefined
  if (typeof value !== 'string') return refuse('This must be a string.')
  if (value.length > MAX_CREDENTIAL_CHARS) return refuse(`At most ${MAX_CREDENTIAL_CHARS} characters.`)
  if (field.values !== undefined && !field.values.includes(value)) {
    return refuse(`This must be one of ${field.values.join(', ')}.`)
  }
  return value
}
