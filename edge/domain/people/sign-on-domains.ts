// Reads the domains of single sign-on, and finds those that are none: their rule needs the names of domains.

import type { ErrorDetail } from '../../../contract/errors.ts'
import type { JsonObject } from '../../../contract/json.ts'
import { MAX_SIGN_ON_DOMAINS } from '../../../contract/resources/single-sign-on.ts'
import { asciiDomain } from '../../lib/mail-address.ts'

const DOMAIN = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/
const DOMAINS_RULE = `1 to ${MAX_SIGN_ON_DOMAINS} domains of e-mail addresses, such as example.com.`

/** @returns The domains in lower case and in ASCII, each once. */
export const toDomains = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => asciiDomain(text.trim()))),
]

/** @returns the fault of single sign-on's domains that its schema does not find */
export function findDomainFaults({ domains }: JsonObject): ErrorDetail[] {
  const texts = Array.isArray(domains)
    ? domains.filter((text) => typeof text === 'string').filter((text) => text !== '')
    : []
  return toDomains(texts).every((domain) => DOMAIN.test(domain)) ? [] : [{ path: 'domains', message: DOMAINS_RULE }]
}

/** @returns The domain of an e-mail address, as those of the settings are. */
export const domainOf = (email: string): string => asciiDomain(email.slice(email.lastIndexOf('@') + 1))
