// Answers sign-ins: session, challenge and device are cookies, and the body is the person or what is missing.

import type { Me, SecondFactorNeeded } from '../../../contract/resources/own-account.ts'
import type { SignInStep } from '../../flow/people/sign-in-person.ts'
import { toIso } from '../../lib/clock.ts'
import { headerOf } from '../kernel/context.ts'
import type { CallHead } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'
import { toMe } from './to-me.ts'

/** What the beginning of a session takes. */
export type SessionServices = Pick<Services, 'sessionCookie' | 'personSessions' | 'deviceCookie' | 'deviceTokens'>
/** What a sign-in takes, which may ask for a second factor. */
export type SignInServices = SessionServices & Pick<Services, 'challengeCookies'>

type Head = Pick<CallHead<'none'>, 'cookies'>

/** Sets the cookies; the token is in no body. @returns The answer of a sign-in. */
export async function beginSession(
  { sessionCookie, personSessions, ...ofDevice }: SessionServices,
  head: Head,
  token: string,
): Promise<Me> {
  head.cookies.push(sessionCookie.write(token))
  const signedIn = await personSessions.get(token)
  // The provider of an organisation proves nothing about the browser of the account.
  if (signedIn.session.organisationId === null) await rememberDevice(ofDevice, head, signedIn.person.email)
  return toMe(signedIn)
}

/** Sets the device cookie of a person who has just proved the password or a passkey. */
export async function rememberDevice(
  { deviceTokens, deviceCookie }: Pick<Services, 'deviceTokens' | 'deviceCookie'>,
  head: Head,
  email: string,
): Promise<void> {
  const device = await deviceTokens.issue(email)
  if (device !== undefined) head.cookies.push(deviceCookie.write(device))
}

/** Sets the cookie of the session, or of the challenge that asks for the second factor. */
export async function answerSignIn(
  { challengeCookies, ...session }: SignInServices,
  head: Head,
  step: SignInStep,
): Promise<Me | SecondFactorNeeded> {
  if (step.next === 'session') return beginSession(session, head, step.token)
  head.cookies.push(challengeCookies['second-factor'].write(step.token))
  return { secondFactor: { expiresAt: toIso(step.expiresAt) } }
}

/** @returns The name that the browser gives itself, for the list of sessions, and the id of the request. */
export function originOf({ c, correlationId }: Pick<CallHead<'none'>, 'c' | 'correlationId'>) {
  return { userAgent: headerOf(c, 'user-agent') ?? '', correlationId }
}
