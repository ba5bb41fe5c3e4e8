// Defines where links of an environment's messages may lead: the customer's site, and schemes of apps.

import { isAppScheme } from '../../../contract/link.ts'

/** What decides about links of an environment. */
export interface LinkRules {
  /** Paths begin there; null: at PUBLIC_URL. */
  siteUrl: string | null
  /** Of apps, in lower case, without colon. */
  appSchemes: readonly string[]
}

export const NO_LINK_RULES: LinkRules = { siteUrl: null, appSchemes: [] }

export const MAX_APP_SCHEMES = 20
export const APP_SCHEME = /^[a-z][a-z0-9+.-]{1,31}$/

/** @returns why links of the scheme are never allowed; undefined when they can be */
export function findSchemeFault(scheme: string): string | undefined {
  if (!APP_SCHEME.test(scheme))
    return 'This must be the scheme of an app in lower case, without colon, such as shopapp.'
  return isAppScheme(scheme) ? undefined : `Links of ${scheme}: are never allowed.`
}
