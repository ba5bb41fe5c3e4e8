// Signs a person in with a passkey, without e-mail address and password.

import type { Core } from '../../domain/core.ts'
import type { PasskeyCeremonies, PasskeySite } from '../../domain/people/passkey-ceremony.ts'
import { ApiError } from '../../lib/api-error.ts'
import { formatId } from '../../lib/id.ts'
import type { PasskeyChallenges } from './passkey-challenges.ts'
import type { PersonSessions } from './person-sessions.ts'
import type { SignInOrigin } from './sign-in-person.ts'

/** What a browser answers; `userHandle` identifies the person whose passkey it is. */
export interface PasskeyResponse {
  id: string
  response: { userHandle?: string | undefined }
}

export type SignInPasskey = ReturnType<typeof createSignInPasskey>

export function createSignInPasskey({
  passkeys,
  passkeyChallenges,
  ceremonies,
  site,
  issueSession,
}: Pick<Core, 'passkeys'> & {
  passkeyChallenges: PasskeyChallenges
  ceremonies: Pick<PasskeyCeremonies, 'signInOptions' | 'verifySignIn'>
  /** @throws ApiError `request/conflict` where the site can have no passkeys. */
  site(): PasskeySite
  issueSession: PersonSessions['issue']
}) {
  return {
    /** @returns The options for the browser, and the token of the challenge for its cookie. Throws as `site`. */
    async begin(): Promise<{ options: object; token: string }> {
      const place = site()
      const { token, bytes } = await passkeyChallenges.begin('passkey', null)
      return { options: await ceremonies.signInOptions(place, bytes), token }
    },

    /** @returns The token of the session. @throws ApiError `auth/unauthenticated`, and as `site`. */
    async signIn(token: string | undefined, response: PasskeyResponse, origin: SignInOrigin): Promise<string> {
      const place = site()
      const { bytes } = await passkeyChallenges.end('passkey', token)
      const passkey = await passkeys.findByCredential(response.id)
      if (passkey === undefined || !isHandleOf(response, passkey.personId)) throw unknownPasskey()
      const counter = await ceremonies.verifySignIn(place, bytes, response, passkey)
      if (counter === undefined) throw unknownPasskey()
      const { id: passkeyId, personId, counter: formerCounter } = passkey
      return (await issueSession(personId, origin.userAgent, { by: 'passkey', passkeyId, formerCounter, counter }))
        .token
    },
  }
}

function isHandleOf({ response: { userHandle } }: PasskeyResponse, personId: number): boolean {
  return userHandle === Buffer.from(formatId('person', personId), 'utf8').toString('base64url')
}

function unknownPasskey(): ApiError {
  return new ApiError('auth/unauthenticated', {
    message: 'This passkey is not known here, or was copied. Sign in another way.',
    reason: 'unknown-passkey',
  })
}
