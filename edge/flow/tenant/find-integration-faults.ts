// Finds faults of an integration that only the server can tell: what its providers and its mails need.

import type { ErrorDetail } from '../../../contract/errors.ts'
import type { JsonObject } from '../../../contract/json.ts'
import type { CredentialField } from '../../../contract/resources/email-integration.ts'
import { MAIL_PROVIDERS } from '../../../contract/tenant.ts'
import type { MailProvider, MailProviders } from '../../domain/mail/mail-provider.ts'
import { isRecord } from '../../lib/is-record.ts'
import { isAddress } from '../../lib/mail-address.ts'
import { withDefaults } from '../mail/open-credentials.ts'

/** @returns the faults that the schema of the body does not find; they quote no credential */
export function findIntegrationFaults(providers: MailProviders, body: JsonObject): ErrorDetail[] {
  return [...findProviderFaults(providers, body), ...findSenderFaults(body.from)]
}

function findProviderFaults(providers: MailProviders, body: JsonObject): ErrorDetail[] {
  const name = MAIL_PROVIDERS.find((known) => known === body.provider)
  if (name === undefined) return []
  const provider = providers.get(name)
  if (provider === undefined) return [{ path: 'provider', message: 'This server does not have this provider.' }]
  const faults = isRecord(body.credentials) ? findCredentialFaults(provider, body.credentials) : []
  if (body.rotateWebhookPassword !== true || provider.usesWebhookPassword) return faults
  const message = `${provider.title} signs its calls: their address has no password.`
  return [...faults, { path: 'rotateWebhookPassword', message }]
}

function findCredentialFaults(provider: MailProvider, given: Record<string, unknown>): ErrorDetail[] {
  const names = provider.fields.map(({ name }) => name)
  const unknown = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => ({ path: name, message: `${provider.title} has the fields ${names.join(', ')}.` }))
  const faults = [...unknown, ...provider.fields.flatMap((field) => findFieldFault(field, given[field.name]))]
  const texts = Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const filled = Object.fromEntries(texts.filter(([name, value]) => value !== '' && names.includes(name)))
  const refused = new Set(faults.map(({ path }) => path))
  for (const fault of provider.check(withDefaults(provider, filled))) if (!refused.has(fault.path)) faults.push(fault)
  return faults
    .filter(({ path }) => given[path] === undefined || typeof given[path] === 'string' || !names.includes(path))
    .map(({ path, message }) => ({ path: `credentials.${path}`, message }))
}

/** The schema finds what is no text. */
function findFieldFault({ name, isRequired, values }: CredentialField, value: unknown): ErrorDetail[] {
  const isAbsent = value === undefined || value === ''
  if (isAbsent && isRequired) return [{ path: name, message: 'This is missing.' }]
  if (isAbsent || typeof value !== 'string' || values?.includes(value) !== false) return []
  return [{ path: name, message: `This must be one of ${values.join(', ')}.` }]
}

function findSenderFaults(from: unknown): ErrorDetail[] {
  if (!isRecord(from) || typeof from.address !== 'string' || from.address === '' || isAddress(from.address)) return []
  return [{ path: 'from.address', message: 'This is no e-mail address.' }]
}
