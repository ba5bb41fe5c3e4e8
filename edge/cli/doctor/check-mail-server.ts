// Tries mail servers and accounts at providers for `nc doctor`, and the server of SMTP_URL for a start. No mail is sent.

import type { Settings } from '../../config.ts'
import type { MailIntegration } from '../../domain/mail/mail-integration.ts'
import type { AccountFault, Credentials } from '../../domain/mail/mail-provider.ts'
import { smtpCredentialsOf } from '../../email/providers/smtp-credentials.ts'
import { type MailServerFault, tryMailServer } from '../../email/providers/try-mail-server.ts'
import { type OpenedIntegration, openCredentials } from '../../flow/mail/open-credentials.ts'
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

const WORDS_OF_ACCOUNT: Record<AccountFault['kind'], (words: string) => string> = {
  address: (words) => `fails. Its provider is not reached. ${words} ${REMEDIES.address}`,
  refused: (words) => `fails. Its provider refuses the account (${words}). Correct its credentials.`,
  unreached: (words) =>
    `fails. Its provider does not answer as it should (${words}). Try again, or look at its status.`,
  tests: (words) => `is for tests. ${words} Put in the credentials of an account that sends to everybody.`,
  untried: (words) =>
    `cannot be tried without sending: its provider does not let this account be read (${words}). Send a test mail: email test.`,
}

/** What a trial found out about an integration; its words complete "The integration …". */
export interface IntegrationFault {
  /** `tests`: in production nobody gets its mails. */
  verdict: 'wrong' | 'note' | 'tests'
  words: string
}

/** @returns What keeps mails of an integration from its server or provider, or from being tried; null when they are taken. */
export type TryIntegration = (
  integration: Pick<MailIntegration, 'provider' | 'sealed'>,
) => Promise<IntegrationFault | null>

/** Tries each account once, however many environments send by it, under the rules by which the server sends. */
export function createTryIntegration({
  sealer,
  mailProviders,
  outboundAllow: allow,
}: Pick<Tools, 'sealer' | 'mailProviders' | 'outboundAllow'>): TryIntegration {
  const tried = new Map<string, Promise<IntegrationFault | null>>()

  async function tryServer(credentials: Credentials): Promise<IntegrationFault | null> {
    const fault = await tryMailServer(credentials, { allow, timeLimits: TIME_LIMITS })
    if (fault === null) return null
    const place = `${credentials.host}:${credentials.port}`
    const remedy = REMEDIES_OF_INTEGRATION[fault.kind]
    return { verdict: 'wrong', words: `fails. Its mail server at ${place} takes no mails. ${fault.words} ${remedy}` }
  }

  async function attempt({ provider, credentials }: OpenedIntegration): Promise<IntegrationFault | null> {
    if (provider.tryAccount === null) return tryServer(credentials)
    const fault = await provider.tryAccount(credentials)
    if (fault === null) return null
    const verdict = fault.kind === 'untried' ? 'note' : fault.kind === 'tests' ? 'tests' : 'wrong'
    return { verdict, words: WORDS_OF_ACCOUNT[fault.kind](fault.words) }
  }
  return async (integration) => {
    // Secrets that do not open are a finding of their own.
    const opened = await openCredentials({ mailProviders, open: sealer.open }, integration).catch(() => undefined)
    if (opened === undefined) return null
    const key = JSON.stringify([integration.provider, opened.credentials])
    const result = tried.get(key) ?? attempt(opened)
    tried.set(key, result)
    return result
  }
}
