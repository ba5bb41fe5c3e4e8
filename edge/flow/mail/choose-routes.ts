// Chooses the providers that a mail may go to, in their order.

import type { Core } from '../../domain/core.ts'
import type { ClaimedMail } from '../../domain/mail/mail.ts'
import type { MailRoute } from '../../domain/mail/mail-provider.ts'
import type { RouteSlots } from './route-slots.ts'

/**
 * A mail of unknown outcome goes to whom had it, when that provider recognises a repeat. Closed integrations are left out
 * while another one is open.
 */
export function chooseRoutes(
  { slots, clock, unknownOutcome }: Pick<Core, 'clock'> & { slots: RouteSlots; unknownOutcome: 'stop' | 'retry' },
  { handedTo }: ClaimedMail,
  routes: MailRoute[],
): MailRoute[] | 'unknown' {
  if (handedTo !== null) {
    const same = routes.find(({ integrationId }) => integrationId === handedTo)
    if (same?.takesIdempotencyKeys === true) return [same]
    if (unknownOutcome === 'stop') return 'unknown'
  }
  const now = clock.now()
  const open = routes.filter(({ integrationId }) => slots.closedUntil(integrationId) <= now)
  const rested = open.filter(({ integrationId }) => !slots.isResting(integrationId, now))
  const resting = open.filter(({ integrationId }) => slots.isResting(integrationId, now))
  if (open.length > 0) return [...rested, ...resting]
  return routes
    .toSorted((one, other) => slots.closedUntil(one.integrationId) - slots.closedUntil(other.integrationId))
    .slice(0, 1)
}
