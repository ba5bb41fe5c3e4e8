// Reads and checks the credentials of an SMTP server, from an integration or from SMTP_URL.

import { createPrivateKey } from 'node:crypto'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { CredentialField } from '../../../contract/resources/email-integration.ts'
import type { Credentials } from '../../domain/mail/mail-provider.ts'
import type { DkimKey } from '../dkim.ts'

export const SMTP_FIELDS: readonly CredentialField[] = [
  { name: 'host', label: 'Host name or address of the mail server', isSecret: false, isRequired: true },
  { name: 'port', label: 'Port', isSecret: false, isRequired: false, byDefault: '587' },
  { name: 'user', label: 'User name', isSecret: false, isRequired: false },
  { name: 'password', label: 'Password', isSecret: true, isRequired: false },
  {
    name: 'tls',
    label: 'Encryption: by STARTTLS, TLS from the start, or none',
    isSecret: false,
    isRequired: false,
    values: ['starttls', 'tls', 'none'],
    byDefault: 'starttls',
  },
  { name: 'dkimDomain', label: 'Domain that signs mails (DKIM)', isSecret: false, isRequired: false },
  { name: 'dkimSelector', label: 'Selector of the DKIM key', isSecret: false, isRequired: false },
  { name: 'dkimPrivateKey', label: 'Private RSA key of DKIM, as PEM', isSecret: true, isRequired: false },
]

const DKIM = ['dkimDomain', 'dkimSelector', 'dkimPrivateKey'] as const
const LOGIN = ['user', 'password'] as const
const DEFAULT_PORT = 587
const DEFAULT_TLS_PORT = 465

export interface SmtpAccess {
  host: string
  port: number
  tls: 'starttls' | 'tls' | 'none'
  login: { user: string; pass: string } | null
  dkim: DkimKey | null
}

/** Expects credentials that `checkSmtpCredentials` accepts. */
export function readSmtpCredentials(credentials: Credentials): SmtpAccess {
  const { host = '', port, user = '', password = '', tls, dkimDomain = '', dkimSelector = '' } = credentials
  const { dkimPrivateKey = '' } = credentials
  return {
    host: toAsciiHost(host),
    port: port === undefined || port === '' ? DEFAULT_PORT : Number(port),
    // Encrypts unless the credentials say otherwise.
    tls: tls === 'none' || tls === 'tls' ? tls : 'starttls',
    login: user === '' ? null : { user, pass: password },
    dkim: dkimPrivateKey === '' ? null : { domain: dkimDomain, selector: dkimSelector, privateKey: dkimPrivateKey },
  }
}

/** @returns what is wrong, by field */
export function checkSmtpCredentials(credentials: Credentials): { path: string; message: string }[] {
  const faults: { path: string; message: string }[] = []
  const value = (name: string) => credentials[name] ?? ''
  const require = (isRight: boolean, path: string, message: string) => {
    if (!isRight) faults.push({ path, message })
  }
  require(isHost(value('host')), 'host', 'must be a host name or an IP address')
  if (value('port') !== '') require(isPort(value('port')), 'port', 'must be a number from 1 to 65535')
  if (value('tls') !== '') {
    require(['starttls', 'tls', 'none'].includes(value('tls')), 'tls', 'must be starttls, tls or none')
  }
  for (const name of LOGIN) require(isOneLine(value(name)), name, 'must be one line without control characters')
  requireTogether(LOGIN, 'user and password go together')
  requireTogether(DKIM, 'the three fields of DKIM go together')
  if (value('dkimDomain') !== '') require(isDomain(value('dkimDomain')), 'dkimDomain', 'must be a domain')
  if (value('dkimSelector') !== '') require(isDomain(value('dkimSelector')), 'dkimSelector', 'must be a DKIM selector')
  if (value('dkimPrivateKey') !== '') {
    require(isRsaKey(
      value('dkimPrivateKey'),
    ), 'dkimPrivateKey', 'must be a private RSA key as PEM, without a passphrase')
  }
  return faults

  function requireTogether(names: readonly string[], message: string): void {
    if (names.every((name) => value(name) === '')) return
    for (const name of names) require(value(name) !== '', name, `is missing: ${message}`)
  }
}

/**
 * Reads SMTP_URL, whose form the settings have checked.
 * @throws Error without the URL in its message
 */
export function smtpCredentialsOf(text: string): Credentials {
  const { protocol, hostname, port, username, password, searchParams } = new URL(text)
  const isTls = protocol === 'smtps:'
  const credentials: Credentials = {
    host: decodeURIComponent(hostname).replace(/^\[|\]$/g, ''),
    port: port || String(isTls ? DEFAULT_TLS_PORT : DEFAULT_PORT),
    tls: isTls ? 'tls' : (searchParams.get('tls') ?? 'starttls'),
    ...(username !== '' && { user: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
  }
  const [fault] = checkSmtpCredentials(credentials)
  if (fault !== undefined) throw new Error(`SMTP_URL is not valid: ${fault.path} ${fault.message}.`)
  return credentials
}

/** @returns The account of SMTP_URL; null without it */
export function ownAccountOf(smtpUrl: string | null) {
  return smtpUrl === null ? null : { provider: 'smtp' as const, credentials: smtpCredentialsOf(smtpUrl) }
}

function toAsciiHost(host: string): string {
  return isIP(host) === 0 ? domainToASCII(host) : host
}

/** The conversion to ASCII drops line breaks and decodes percent signs, so these are refused before. */
function isHost(host: string): boolean {
  return isIP(host) !== 0 || (!/[\p{Cc}\s%]/u.test(host) && isDomain(toAsciiHost(host)))
}

/** Labels of letters, digits and hyphens; underscores occur in names of DNS. */
function isDomain(text: string): boolean {
  return text.length <= 253 && /^(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/i.test(text)
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535
}

function isOneLine(text: string): boolean {
  return !/\p{Cc}/u.test(text)
}

/** The signature of nodemailer is RSA with SHA-256. */
function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}
