// Defines what a check of a sender's domain finds in DNS.

/** A record for the name servers of the domain. */
export interface DomainRecord {
  name: string
  type: 'TXT'
  value: string
}

export interface DomainFinding {
  domain: string
  /** The name of the integration; null: the server's own way out, or all of them. */
  integration: string | null
  kind: 'spf' | 'dkim' | 'dmarc'
  /** `unknown`: the name servers do not answer, or only the provider knows. */
  verdict: 'ok' | 'missing' | 'wrong' | 'unknown'
  /** One or two sentences for people. */
  words: string
  /** The records of the kind that exist. */
  found: string[]
  /** To copy; null: there is nothing to add, or only the provider has it. */
  record: DomainRecord | null
}
