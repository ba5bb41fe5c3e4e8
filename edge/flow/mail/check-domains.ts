// Checks by DNS whether the domains of an environment's senders let receivers trust its mails: SPF, DKIM and DMARC.

import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import type { DomainFinding } from '../../../contract/resources/email-domain.ts'
import type { Core } from '../../domain/core.ts'
import type { Environment } from '../../domain/environment.ts'
import {
  dkimNames,
  dmarcNames,
  judgeDkim,
  judgeDmarc,
  judgeSpf,
  type SendingAccount,
} from '../../domain/mail/domain-records.ts'
import type { MailAddress } from '../../domain/mail/mail-provider.ts'
import { openCredentials } from './open-credentials.ts'

export type CheckDomains = ReturnType<typeof createCheckDomains>

/** Domains of one check. */
const MAX_DOMAINS = 10
/** Notification configs whose senders are looked at. */
const MAX_CONFIGS = 100
const MAX_FOUND = 5
const MAX_FOUND_CHARS = 1000

interface Account extends SendingAccount {
  /** Null: the server's own. */
  name: string | null
  domains: ReadonlySet<string>
}

export function createCheckDomains(
  deps: Pick<Core, 'mailIntegrations' | 'configs' | 'mailProviders' | 'open'> & {
    /** Reads TXT records. Throws when the name servers do not answer. */
    findTexts(name: string): Promise<string[]>
    /** The sender where an integration names none. */
    defaultFrom: MailAddress | null
    /** The credentials of the server's own way out; null: it has none. */
    ownAccount: SendingAccount | null
  },
) {
  const { mailIntegrations, configs, findTexts, defaultFrom, ownAccount } = deps

  async function listAccounts({ id, organisationId }: Pick<Environment, 'id' | 'organisationId'>): Promise<Account[]> {
    const senders = (await configs.list(organisationId, null, MAX_CONFIGS)).map(({ email }) => email.senderAddress)
    const domainsOf = (from: MailAddress | null) =>
      new Set([from?.address, ...senders].map(domainOf).filter((domain) => domain !== undefined))
    const stored = await mailIntegrations.listOf(id)
    if (stored.length === 0) {
      return ownAccount === null ? [] : [{ ...ownAccount, name: null, domains: domainsOf(defaultFrom) }]
    }
    const accounts = stored.map(async (integration): Promise<Account> => {
      const opened = await openCredentials(deps, integration).catch(() => undefined)
      const { name, provider, from } = integration
      return { name, provider, credentials: opened?.credentials ?? {}, domains: domainsOf(from ?? defaultFrom) }
    })
    return Promise.all(accounts)
  }

  /** @returns undefined where the name servers do not answer */
  async function readTexts(names: readonly string[]): Promise<string[] | undefined> {
    try {
      return (await Promise.all(names.map(findTexts))).flat()
    } catch {
      return undefined
    }
  }

  /** Looks at the domain, and then at those above it, as receivers do. */
  async function readDmarc(domain: string): Promise<string[] | undefined> {
    for (const name of dmarcNames(domain)) {
      const texts = await readTexts([name])
      if (texts === undefined || texts.some((text) => KINDS.dmarc.test(text))) return texts
    }
    return []
  }

  async function checkDomain(domain: string, accounts: readonly Account[]): Promise<DomainFinding[]> {
    const [own, dmarc, ...keys] = await Promise.all([
      readTexts([domain]),
      readDmarc(domain),
      ...accounts.map((account) => readTexts(dkimNames(domain, account))),
    ])
    const perAccount = accounts.flatMap((account, nth) => {
      const about = { domain, integration: account.name }
      return [
        toFinding({ ...about, kind: 'spf' }, own, (texts) => judgeSpf(domain, texts, account)),
        toFinding({ ...about, kind: 'dkim' }, keys[nth], (texts) => judgeDkim(domain, texts, account)),
      ]
    })
    const all = { domain, integration: null, kind: 'dmarc' } as const
    return [...perAccount, toFinding(all, dmarc, (texts) => judgeDmarc(domain, texts))]
  }

  /** Each integration with each domain that its mails may have as sender; nothing for the mailbox. */
  return async function checkDomains(
    environment: Pick<Environment, 'id' | 'organisationId'>,
  ): Promise<DomainFinding[]> {
    const accounts = await listAccounts(environment)
    const domains = [...new Set(accounts.flatMap((account) => [...account.domains]))].slice(0, MAX_DOMAINS)
    const found = domains.map((domain) =>
      checkDomain(
        domain,
        accounts.filter((account) => account.domains.has(domain)),
      ),
    )
    return (await Promise.all(found)).flat()
  }
}

const KINDS = { spf: /^v=spf1/i, dkim: /(?:^|;)\s*p\s*=/i, dmarc: /^v=DMARC1/i } as const

function toFinding(
  about: Pick<DomainFinding, 'domain' | 'integration' | 'kind'>,
  texts: readonly string[] | undefined,
  judge: (texts: readonly string[]) => Pick<DomainFinding, 'verdict' | 'words' | 'record'>,
): DomainFinding {
  if (texts === undefined) {
    return {
      ...about,
      verdict: 'unknown',
      words: 'The name servers do not answer. Try again later.',
      found: [],
      record: null,
    }
  }
  const found = texts.filter((text) => KINDS[about.kind].test(text)).slice(0, MAX_FOUND)
  return { ...about, ...judge(texts), found: found.map((text) => text.slice(0, MAX_FOUND_CHARS)) }
}

/** @returns The domain in ASCII; undefined for a host without a dot, such as localhost, and for an IP address */
function domainOf(address: string | null | undefined): string | undefined {
  const domain = domainToASCII(address?.slice(address.lastIndexOf('@') + 1) ?? '').toLowerCase()
  return domain.includes('.') && isIP(domain) === 0 ? domain : undefined
}
