// Judges the DNS records of a domain that sends mails (SPF, DKIM, DMARC), and writes the missing ones.

import { createPublicKey } from 'node:crypto'
import { isIP } from 'node:net'
import type { DomainFinding, DomainRecord } from '../../../contract/resources/email-domain.ts'
import type { MailProviderName } from '../../../contract/tenant.ts'
import type { Credentials } from './mail-provider.ts'

/** What is judged, without whom it is about. */
type Judged = Omit<DomainFinding, 'domain' | 'integration' | 'kind' | 'found'>

/** By provider: what SPF includes, and the selectors of its keys where they are the same for everybody. */
const AT_PROVIDER: Record<Exclude<MailProviderName, 'smtp'>, { include: string; selectors: readonly string[] }> = {
  sendgrid: { include: 'sendgrid.net', selectors: ['s1', 's2'] },
  postmark: { include: 'spf.mtasv.net', selectors: [] },
  mailgun: { include: 'mailgun.org', selectors: [] },
  ses: { include: 'amazonses.com', selectors: [] },
  resend: { include: 'amazonses.com', selectors: ['resend'] },
  brevo: { include: 'spf.brevo.com', selectors: ['brevo1', 'brevo2', 'mail'] },
  mailjet: { include: 'spf.mailjet.com', selectors: ['mailjet'] },
}

/** A way on which mails of the domain go. */
export interface SendingAccount {
  provider: MailProviderName
  /** Its credentials; the private key alone is used of the secret ones. */
  credentials: Credentials
}

const txt = (name: string, value: string): DomainRecord => ({ name, type: 'TXT', value })
const ok = (words: string): Judged => ({ verdict: 'ok', words, record: null })

/** @param texts All TXT records of the domain */
export function judgeSpf(domain: string, texts: readonly string[], account: SendingAccount): Judged {
  const found = texts.filter((text) => /^v=spf1(?:\s|$)/i.test(text))
  const needed = mechanismOf(account)
  const [first] = found
  if (first === undefined) {
    const record = txt(domain, `v=spf1 ${needed} ~all`)
    return { verdict: 'missing', words: 'No server is named that may send for this domain.', record }
  }
  if (found.length > 1) {
    return { verdict: 'wrong', words: 'There are several SPF records, so none counts. Join them to one.', record: null }
  }
  if (/\s\+?all(?:\s|$)/i.test(first)) {
    const record = txt(domain, first.replace(/\s\+?all(?=\s|$)/i, ' ~all'))
    return { verdict: 'wrong', words: 'The record lets everybody send for this domain.', record }
  }
  if (account.provider === 'smtp') return ok('There is a record. Only you know whether it names your mail server.')
  if (first.toLowerCase().split(/\s+/).includes(needed)) return ok('The record names the provider.')
  const record = txt(domain, first.replace(/^v=spf1/i, `v=spf1 ${needed}`))
  const words = 'The record does not name the provider. This matters unless the provider has a return path of its own.'
  return { verdict: 'missing', words, record }
}

function mechanismOf({ provider, credentials: { host = '' } }: SendingAccount): string {
  if (provider !== 'smtp') return `include:${AT_PROVIDER[provider].include}`
  const version = isIP(host)
  return version === 0 ? `a:${host}` : `ip${version}:${host}`
}

/** @returns The names whose TXT records have the keys of DKIM; none where only the provider knows them */
export function dkimNames(domain: string, { provider, credentials }: SendingAccount): string[] {
  const { dkimDomain = '', dkimSelector = '' } = credentials
  if (provider === 'smtp') return dkimSelector === '' ? [] : [`${dkimSelector}._domainkey.${dkimDomain}`]
  return AT_PROVIDER[provider].selectors.map((selector) => `${selector}._domainkey.${domain}`)
}

/** @param texts The TXT records at all of `dkimNames` */
export function judgeDkim(domain: string, texts: readonly string[], account: SendingAccount): Judged {
  const [name] = dkimNames(domain, account)
  const isOwn = account.provider === 'smtp'
  if (name === undefined) {
    const words = isOwn
      ? 'This integration signs nothing. Give it a key of DKIM, unless your mail server signs.'
      : 'Copy the record from the page of this domain at the provider, which alone knows its name.'
    return { verdict: 'unknown', words, record: null }
  }
  const keys = texts
    .map((text) => /(?:^|;)\s*p\s*=([^;]*)/i.exec(text)?.[1]?.replace(/\s/g, ''))
    .filter((key) => key !== undefined)
  const own = isOwn ? publicKeyOf(account.credentials.dkimPrivateKey ?? '') : undefined
  const record = own === undefined ? null : txt(name, `v=DKIM1; k=rsa; p=${own}`)
  const { dkimDomain = domain } = account.credentials
  if (isOwn && !isAligned(domain, dkimDomain)) {
    return { verdict: 'wrong', words: `Mails are signed for ${dkimDomain}, which is another domain.`, record }
  }
  if (keys.length === 0) {
    const words = isOwn
      ? 'The key is not published.'
      : 'No key of the provider is published. Its page of this domain has the record.'
    return { verdict: 'missing', words, record }
  }
  if (keys.every((key) => key === '')) return { verdict: 'wrong', words: 'The key is revoked: p is empty.', record }
  if (own !== undefined && !keys.includes(own)) {
    return { verdict: 'wrong', words: 'Another key is published, so every signature fails.', record }
  }
  return ok('The key is published.')
}

/** DMARC takes a signature of the domain, of one above it or of one below it. */
function isAligned(one: string, other: string): boolean {
  const [a, b] = [`.${one.toLowerCase()}`, `.${other.toLowerCase()}`]
  return a.endsWith(b) || b.endsWith(a)
}

function publicKeyOf(pem: string): string | undefined {
  try {
    return createPublicKey(pem).export({ format: 'der', type: 'spki' }).toString('base64')
  } catch {
    return undefined
  }
}

const MAX_PARENTS = 4

/** @returns `_dmarc` of the domain and of those above it, in the order in which receivers look */
export function dmarcNames(domain: string): string[] {
  const labels = domain.split('.')
  const count = Math.min(labels.length - 1, MAX_PARENTS)
  return Array.from({ length: count }, (_, above) => `_dmarc.${labels.slice(above).join('.')}`)
}

/** @param texts The TXT records of the first of `dmarcNames` that has some */
export function judgeDmarc(domain: string, texts: readonly string[]): Judged {
  const found = texts.filter((text) => /^v=DMARC1\s*(?:;|$)/i.test(text))
  const [first] = found
  const record = txt(`_dmarc.${domain}`, 'v=DMARC1; p=none')
  if (first === undefined) {
    return { verdict: 'missing', words: 'Large receivers refuse mails of domains without DMARC.', record }
  }
  if (found.length > 1)
    return { verdict: 'wrong', words: 'There are several DMARC records, so none counts.', record: null }
  const policy = /;\s*p\s*=\s*(\w*)/i.exec(first)?.[1]?.toLowerCase() ?? ''
  if (!['none', 'quarantine', 'reject'].includes(policy)) {
    return { verdict: 'wrong', words: 'The policy p must be none, quarantine or reject.', record }
  }
  return ok(`There is a policy: ${policy}.`)
}
