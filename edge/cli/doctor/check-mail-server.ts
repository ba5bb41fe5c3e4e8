// Tries mail servers for `nc doctor`, and that of SMTP_URL for a start: connection, encryption and login.

import type { Settings } from '../../config.ts'
import type { MailIntegration } from '../../domain/mail/mail-integration.ts'
import type { Credentials } from '../../domain/mail/mail-provider.ts'
import { smtpCredentialsOf } from '../../email/providers/smtp-credentials.ts'
import { type MailServerFault, tryMailServer } from '../../email/providers/try-mail-server.ts'
import { openCredentials } from '../../flow/mail/open-credentials.ts'
import type { Tools } from '../command-context.ts'
import { placeOf } from './explain-fault.ts'
import { type Finding, finding } from './finding.ts'

const REMEDIES: Record<MailServerFault['kind'], string> = {
  address: 'OUTBOUND_ALLOW must contain its address, such as 10.1.2.3/32.',
  'no-starttls':
    'It offers no STARTTLS: a relay on this machine or in a network that you trust needs ?tls=none in SMTP_URL, one that encrypts from the start needs smtps:.',
  other: 'Correct SMTP_URL, or look at the server.',
}
const REMEDIES_OF_INTEGRATION: typeof REMEDIES = {
  address: REMEDIES.address,
  'no-starttls':
    'It offers no STARTTLS: a relay on this machine or in a network that you trust needs tls none in the integration (?tls=none in SMTP_URL), one that encrypts from the start needs tls.',
  other: 'Correct the integration, or look at the server.',
}

/** @returns No finding without SMTP_URL. Never throws. */
export async function checkMailServer({
  smtpUrl,
  outboundAllow,
}: Pick<Settings, 'smtpUrl' | 'outboundAllow'>): Promise<Finding[]> {
  if (smtpUrl === null) return []
  const place = `The mail server at ${placeOf(smtpUrl)}`
  const fault = await tryMailServer(smtpCredentialsOf(smtpUrl), { allow: outboundAllow })
  if (fault === null) return [finding('Mail server', 'ok', `${place} answers and takes the login.`)]
  return [finding('Mail server', 'wrong', `${place} takes no mails. ${fault.words} ${REMEDIES[fault.kind]}`)]
}

/** A silent server keeps the doctor no longer. */
const TIME_LIMITS = { connectMs: 5000, greetingMs: 5000, socketMs: 5000 }

/** @returns What keeps mails of an integration from its SMTP server; null when it takes them, and for other providers. */
export type TryIntegration = (integration: Pick<MailIntegration, 'provider' | 'sealed'>) => Promise<string | null>

/** Tries each account once, however many environments send by it, under the rules by which the server sends. */
export function createTryIntegration({
  sealer,
  providers,
  outboundAllow: allow,
}: Pick<Tools, 'sealer' | 'providers' | 'outboundAllow'>): TryIntegration {
  const tried = new Map<string, Promise<string | null>>()

  async function attempt(credentials: Credentials): Promise<string | null> {
    const fault = await tryMailServer(credentials, { allow, timeLimits: TIME_LIMITS })
    if (fault === null) return null
    const place = `${credentials.host}:${credentials.port}`
    return `Its mail server at ${place} takes no mails. ${fault.words} ${REMEDIES_OF_INTEGRATION[fault.kind]}`
  }
  return async (integration) => {
    if (integration.provider !== 'smtp') return null
    // Secrets that do not open are a finding of their own.
    const opened = await openCredentials({ providers, open: sealer.open }, integration).catch(() => undefined)
    if (opened === undefined) return null
    const key = JSON.stringify(opened.credentials)
    const result = tried.get(key) ?? attempt(opened.credentials)
    tried.set(key, result)
    return result
  }
}
