// Parses the settings of single sign-on.

import { ApiError } from '../../lib/api-error.ts'
import { asciiDomain } from '../../lib/mail-address.ts'

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
const MAX_DOMAINS = 20

/** @returns The issuer as given, which must equal that of its tokens. @throws `request/invalid-body`. */
export function parseIssuer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isAddress = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (url === undefined || !isAddress || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw invalid('issuer', 'An https address without query, such as https://login.example.com.')
  }
  return text
}

/** @returns The domains in lower case and in ASCII, each once. @throws `request/invalid-body`. */
export function parseDomains(texts: readonly string[]): string[] {
  const domains = [...new Set(texts.map((text) => asciiDomain(text.trim())))]
  if (domains.length === 0 || domains.length > MAX_DOMAINS || !domains.every((domain) => DOMAIN.test(domain))) {
    throw invalid('domains', `1 to ${MAX_DOMAINS} domains of e-mail addresses, such as example.com.`)
  }
  return domains
}

/** @returns The domain of an e-mail address, as those of the settings are. */
export const domainOf = (email: string): string => asciiDomain(email.slice(email.lastIndexOf('@') + 1))

function invalid(path: string, message: string): ApiError {
  return new ApiError('request/invalid-body', { message, details: [{ path, message }] })
}
