// Defines where links of an environment's messages may lead: the customer's site, and schemes of apps.

/** What decides about links of an environment. */
export interface LinkRules {
  /** Paths begin there; null: at PUBLIC_URL. */
  siteUrl: string | null
  /** Of apps, in lower case, without colon. */
  appSchemes: readonly string[]
}

export const NO_LINK_RULES: LinkRules = { siteUrl: null, appSchemes: [] }
