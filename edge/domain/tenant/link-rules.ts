// Defines where links of an environment's messages may lead: the customer's site, and schemes of apps.

import { isAppScheme, isWebAddress, safeLink } from '../../../contract/link.ts'

/** What decides about links of an environment. */
export interface LinkRules {
  /** Paths begin there; null: at PUBLIC_URL. */
  siteUrl: string | null
  /** Of apps, in lower case, without colon. */
  appSchemes: readonly string[]
}

export const NO_LINK_RULES: LinkRules = { siteUrl: null, appSchemes: [] }

export const MAX_APP_SCHEMES = 20
/** Without query and fragment, as paths follow it. */
export const SITE_URL = /^https?:\/\/[^\s?#\\@]+$/i
export const APP_SCHEME = /^[a-z][a-z0-9+.-]{1,31}$/

/** @returns why paths cannot begin at the address; undefined when they can */
export function findSiteFault(siteUrl: string): string | undefined {
  const isSite = SITE_URL.test(siteUrl) && isWebAddress(siteUrl) && safeLink(siteUrl) === siteUrl
  return isSite
    ? undefined
    : 'This must be the https (or http) address of a site, without query, such as https://shop.example.'
}

/** @returns why links of the scheme are never allowed; undefined when they can be */
export function findSchemeFault(scheme: string): string | undefined {
  if (!APP_SCHEME.test(scheme))
    return 'This must be the scheme of an app in lower case, without colon, such as shopapp.'
  return isAppScheme(scheme) ? undefined : `Links of ${scheme}: are never allowed.`
}
