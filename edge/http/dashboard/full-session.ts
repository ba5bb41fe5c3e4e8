// Refuses changes of a person's account in a session of single sign-on: its provider belongs to one organisation alone.

import { ApiError } from '../../lib/api-error.ts'
import type { CallHead } from '../kernel/route-spec.ts'

/** @throws ApiError `authorization/not-allowed` in a session that reaches one organisation only. */
export function requireFullSession({ signedIn: { session } }: Pick<CallHead<'person'>, 'signedIn'>): void {
  if (session.organisationId === null) return
  throw new ApiError('authorization/not-allowed', {
    message:
      'This session is of the single sign-on of one organisation. Sign in with your password to change your account.',
    reason: 'single-sign-on',
  })
}
