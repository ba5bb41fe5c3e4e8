// Reads what an invitation is about, for the person who has its link, before a password is asked for.

import type { InvitationLook } from '../../../contract/resources/member.ts'
import type { Core } from '../../domain/core.ts'
import { toIso } from '../../lib/clock.ts'
import { hashToken } from '../../lib/one-time-token.ts'
import { linkMissing } from './accept-invitation.ts'

/** @throws ApiError `request/not-found` for a link that was used, replaced, revoked or is expired. */
export type LookAtInvitation = (token: string) => Promise<InvitationLook>

export function createLookAtInvitation({
  oneTimeLinks,
  organisations,
  clock,
}: Pick<Core, 'oneTimeLinks' | 'organisations' | 'clock'>): LookAtInvitation {
  return async (token) => {
    const hash = hashToken('invitation', token)
    const invitation = hash === undefined ? undefined : await oneTimeLinks.findInvitation(hash, clock.now())
    const organisation = invitation === undefined ? undefined : await organisations.find(invitation.organisationId)
    if (invitation === undefined || organisation === undefined) throw linkMissing()
    const { email, role, invitedBy, expiresAt } = invitation
    return { organisation: organisation.name, email, role, invitedBy, expiresAt: toIso(expiresAt) }
  }
}
