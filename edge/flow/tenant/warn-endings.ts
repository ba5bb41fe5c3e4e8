// Tells admins by mail and in the log, once for each value, that an old value of a secret ends soon by itself.

import type { Core } from '../../domain/core.ts'
import type { EndingMail, EndingSecret, SecretAdmin } from '../../domain/tenant/ending-secret.ts'
import { toIso } from '../../lib/clock.ts'
import { formatId } from '../../lib/id.ts'

/** An overlap that is shorter is told of when it begins. */
export const WARNED_BEFORE_MS = 6 * 60 * 60_000
const STEP = 50

type Taken = Pick<Core, 'endingSecrets' | 'clock' | 'log'> & {
  /** Sends without waiting for the mail server; null without one: the log says it alone. */
  mail: ((mail: EndingMail) => void) | null
  linkOf(organisationId: string, environmentId: string): string
  /** Receives how many values end soon, for the metrics. */
  onEnding(count: number): void
}

/** Creates the task. @returns How many values were told of. */
export function createWarnEndings(deps: Taken): () => Promise<number> {
  const { endingSecrets, clock, log } = deps
  return async () => {
    const now = clock.now()
    const until = now + WARNED_BEFORE_MS
    deps.onEnding(await endingSecrets.count(now, until))
    // One node claims a value; a crash right after that costs its mail, and sends no second one.
    const claimed = await endingSecrets.claim(now, until, STEP)
    for (const one of claimed) log.warn('an old value of a secret ends soon', factsOf(one))
    if (deps.mail === null || claimed.length === 0) return claimed.length
    const ids = [...new Set(claimed.map(({ organisationId }) => organisationId))]
    const admins = new Map<number, SecretAdmin[]>(ids.map((id) => [id, []]))
    for (const admin of await endingSecrets.listAdmins(ids)) admins.get(admin.organisationId)?.push(admin)
    for (const one of claimed) {
      for (const { email, locale } of admins.get(one.organisationId) ?? []) {
        deps.mail({ ...mailOf(deps, one), to: email, locale: locale ?? undefined })
      }
    }
    return claimed.length
  }
}

const factsOf = ({ kind, environmentId, retiresAt, lastUsedAt }: EndingSecret) => ({
  kind: kindOf(kind),
  environmentId: formatId('environment', environmentId),
  endsAt: toIso(retiresAt),
  lastUsedAt: lastUsedAt === null ? null : toIso(lastUsedAt),
})

/** The kind of a source's secret also has its id. */
const kindOf = (kind: string): string => kind.split(':')[0] ?? kind

function mailOf({ linkOf }: Taken, one: EndingSecret): Omit<EndingMail, 'to' | 'locale'> {
  const { kind, environmentId, environmentName, organisationId, retiresAt, lastUsedAt } = one
  return {
    kind: kindOf(kind),
    environment: environmentName,
    endsAt: toMinute(retiresAt),
    lastUsedAt: lastUsedAt === null ? null : toMinute(lastUsedAt),
    link: linkOf(formatId('organisation', organisationId), formatId('environment', environmentId)),
  }
}

/** @returns Such as "2026-11-25 10:00 UTC": the people of an organisation have several time zones. */
const toMinute = (at: number): string => `${toIso(at).slice(0, 16).replace('T', ' ')} UTC`
