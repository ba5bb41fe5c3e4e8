// Decides whether a mail may be handed to an integration now, and closes integrations that take no more for now.

import type { Core } from '../../domain/core.ts'
import { OWN_SENDER } from '../../domain/mail/mail.ts'
import type { MailRoute, SendOutcome } from '../../domain/mail/mail-provider.ts'
import type { LoadedMail } from './load-mails.ts'
import { REST_MS, type RouteSlots } from './route-slots.ts'

type Taken = Pick<Core, 'heldMails' | 'clock' | 'log'> & {
  slots: RouteSlots
}

/** A mail that is being sent. */
export interface Sending extends LoadedMail {
  /** By the clock of this process, epoch ms. */
  claimedAt: number
}

/** A permit that is older was issued for another moment: its mail waits for a new one. */
const PERMIT_MS = 2000

/** A permit is of one integration, and closed integrations need one, too. */
export function lacksPermit(
  { clock, slots }: Taken,
  { claim, claimedAt }: Sending,
  { integrationId, maxPerSecond }: MailRoute,
): boolean {
  const now = clock.now()
  if (slots.closedUntil(integrationId) > now) return true
  if (maxPerSecond === null) return false
  return claim.permitFrom !== integrationId || now - claimedAt > PERMIT_MS
}

/** Asks the integration last for a while; one that refuses by its rate gets no mail until its time. Never rejects. */
export async function restRoute(
  { slots, heldMails, clock, log }: Taken,
  { environmentId, integrationId }: { environmentId: number; integrationId: number },
  { retryAfterMs, isRateLimited }: Extract<SendOutcome, { outcome: 'unavailable' }>,
): Promise<void> {
  const now = clock.now()
  slots.rest(integrationId, now, retryAfterMs)
  if (isRateLimited !== true || integrationId === OWN_SENDER) return
  const forMs = retryAfterMs ?? REST_MS
  try {
    // Stored first: else waiting mails would be due again at once.
    await heldMails.suspendPermits(environmentId, integrationId, now, forMs)
    slots.close(integrationId, now + forMs)
  } catch (error) {
    log.warn('permits of an integration not suspended', { error, integrationId })
  }
}
