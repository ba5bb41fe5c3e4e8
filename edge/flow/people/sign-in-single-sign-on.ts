// Signs a person in by the identity provider of an organisation. The session reaches that organisation alone.

import type { Core } from '../../domain/core.ts'
import { CHALLENGE_MS, type ChallengeDetail, type ChallengeKind } from '../../domain/people/challenge.ts'
import type { SignedIn } from '../../domain/people/dashboard-session.ts'
import type { ProviderClient, SignOnRequest, SignOnResult, SingleSignOn } from '../../domain/people/single-sign-on.ts'
import { ApiError } from '../../lib/api-error.ts'
import { hmacHex } from '../../lib/hmac.ts'
import { formatId, parseId } from '../../lib/id.ts'
import { hashToken, newToken } from '../../lib/one-time-token.ts'
import { signOnMissing } from './manage-single-sign-on.ts'
import { challengeEnded, type SignInOrigin } from './sign-in-person.ts'
import { findListedEmail, type TrySignOn } from './try-sign-on.ts'

type Taken = Pick<Core, 'singleSignOns' | 'challenges' | 'open' | 'clock'> & {
  provider: ProviderClient
  trySignOn: TrySignOn
  /** @returns The name of an organisation; undefined for an unknown one. */
  findName(organisationId: number): Promise<string | undefined>
  /** @returns The address to which the provider sends the browser back. */
  redirectUriOf(organisationId: string): string
}

/** `next`: `question` when the token is that of a challenge, which the person has to answer. */
export interface SignOnStep {
  next: 'session' | 'question'
  token: string
}

export type SignInSingleSignOn = ReturnType<typeof createSignInSingleSignOn>

export function createSignInSingleSignOn(deps: Taken) {
  const { singleSignOns, challenges, provider, trySignOn, clock } = deps

  async function createChallenge(
    kind: Extract<ChallengeKind, `single-sign-on${string}`>,
    { organisationId }: SingleSignOn,
    detail: ChallengeDetail,
    { token, hash } = newToken('challenge'),
  ): Promise<string> {
    const expiresAt = clock.now() + CHALLENGE_MS[kind]
    await challenges.create({ kind, personId: null, organisationId, passwordHash: null, expiresAt, detail }, hash)
    return token
  }

  /** @throws ApiError `request/not-found` with `reason` `not-set-up`, the same for an unknown organisation. */
  async function getSettings(organisationId: string): Promise<SingleSignOn> {
    const id = parseId('organisation', organisationId)
    const settings = id === undefined ? undefined : await singleSignOns.find(id)
    if (settings === undefined) throw signOnMissing()
    return settings
  }

  const providerOf = async ({ issuer, clientId, sealed }: SingleSignOn) => ({
    issuer,
    clientId,
    clientSecret: await deps.open(sealed),
  })

  /** Derives the secrets of the request from the token in the cookie, so that the store has none of them. */
  function requestOf(organisationId: string, token: string): SignOnRequest {
    const derive = (purpose: string) => hmacHex(token, `single-sign-on ${purpose}`)
    const redirectUri = deps.redirectUriOf(organisationId)
    return { redirectUri, state: derive('state'), nonce: derive('nonce'), verifier: derive('verifier') }
  }

  return {
    /**
     * Begins a sign-in. @param beganElsewhere Whether a page of another site sent the browser here.
     * @returns The address of the provider's page, and the token of the challenge for its cookie.
     * @throws ApiError `request/not-found`, `service/unavailable`.
     */
    async begin(organisationId: string, beganElsewhere: boolean): Promise<{ url: string; token: string }> {
      const settings = await getSettings(organisationId)
      const made = newToken('challenge')
      const url = await provider.authorizationUrl(await providerOf(settings), requestOf(organisationId, made.token))
      return { url, token: await createChallenge('single-sign-on', settings, { beganElsewhere }, made) }
    },

    /**
     * Ends a sign-in that the provider answered. @param query The query of that answer, with its `?`.
     * @param signedIn The session of the browser, if it has one: that of another person is not replaced without a question.
     * @throws ApiError `auth/unauthenticated`, `authorization/not-allowed`, `request/not-found`, `service/unavailable`.
     */
    async finish(
      organisationId: string,
      { token, query }: { token: string | undefined; query: string },
      signedIn: SignedIn | undefined,
      origin: SignInOrigin,
    ): Promise<SignOnStep> {
      const hash = hashToken('challenge', token)
      const challenge = hash === undefined ? undefined : await challenges.use(hash, 'single-sign-on', clock.now())
      const settings = await getSettings(organisationId)
      if (token === undefined || challenge?.organisationId !== settings.organisationId) throw challengeEnded()
      const request = requestOf(organisationId, token)
      const answer = new URL(request.redirectUri + query)
      const identity = await provider.readIdentity(await providerOf(settings), request, answer)
      const { detail } = challenge
      const beganElsewhere = detail === undefined || !('beganElsewhere' in detail) || detail.beganElsewhere
      const tried = await trySignOn(settings, identity, { consent: 'none', signedIn, beganElsewhere, origin })
      const { result } = tried
      if (result === 'continue' || result === 'accept') {
        const question = { ask: result, issuer: settings.issuer, identity }
        return { next: 'question', token: await createChallenge('single-sign-on-question', settings, { question }) }
      }
      requireSignedIn(result)
      return { next: 'session', token: tried.token }
    },

    ...createQuestions(deps),
  }
}

/** Reads and answers what a person is asked after the provider's answer. */
function createQuestions({ singleSignOns, challenges, trySignOn, findName, clock }: Taken) {
  const KIND = 'single-sign-on-question'

  /** @throws ApiError `auth/unauthenticated` for a question that was answered, is expired, or is of former settings. */
  async function getQuestion(token: string | undefined, signedIn: SignedIn | undefined) {
    const hash = hashToken('challenge', token)
    const challenge = hash === undefined ? undefined : await challenges.find(hash, KIND, clock.now())
    const settings = challenge?.organisationId == null ? undefined : await singleSignOns.find(challenge.organisationId)
    const question = challenge?.detail && 'question' in challenge.detail ? challenge.detail.question : undefined
    if (hash === undefined || challenge === undefined || settings === undefined) throw challengeEnded()
    if (question === undefined || question.issuer !== settings.issuer) throw challengeEnded()
    const { ask, identity } = question
    const { organisationId, issuer } = settings
    const linked = await singleSignOns.findLinkedEmail(organisationId, issuer, identity.subject)
    const email = linked ?? findListedEmail(identity, settings)
    if (email === null) throw challengeEnded()
    const isOwnSession = signedIn?.session.organisationId === null && signedIn.person.email === email
    return { hash, settings, identity, ask, email, mayAnswer: ask === 'continue' || isOwnSession, challenge }
  }

  return {
    /** @returns What the person is asked. `mayAnswer`: false while the person has to sign in by own means first. */
    async readQuestion(token: string | undefined, signedIn: SignedIn | undefined) {
      const { settings, ask, email, mayAnswer, challenge } = await getQuestion(token, signedIn)
      const id = formatId('organisation', settings.organisationId)
      const organisation = { id, name: (await findName(settings.organisationId)) ?? id }
      return { organisation, ask, email, mayAnswer, expiresAt: challenge.expiresAt }
    },

    /**
     * Answers the question with yes.
     * @returns The organisation, and the token of the new session; undefined when the person stays in the own one.
     * @throws ApiError `auth/unauthenticated`, `authorization/not-allowed`.
     */
    async answerQuestion(token: string | undefined, signedIn: SignedIn | undefined, origin: SignInOrigin) {
      const { hash, settings, identity, ask, mayAnswer } = await getQuestion(token, signedIn)
      if (!mayAnswer) throw ownSessionMissing()
      if ((await challenges.use(hash, KIND, clock.now())) === undefined) throw challengeEnded()
      const browser = { consent: ask, signedIn, beganElsewhere: false, origin }
      const tried = await trySignOn(settings, identity, browser)
      if (tried.result === 'accepted') return undefined
      requireSignedIn(tried.result)
      return tried.token
    },
  }
}

const REFUSALS: Partial<Record<SignOnResult, string>> = {
  'not-linked': 'The identity provider has not verified an e-mail address of a domain that the organisation lists.',
  'not-member': 'You are no member of this organisation. Ask an admin for an invitation.',
  'linked-otherwise':
    'Another account of the identity provider is linked to your address. Ask an admin to remove and invite you.',
}

function requireSignedIn(result: SignOnResult): void {
  if (result === 'signed-in') return
  const message = REFUSALS[result]
  if (message === undefined) throw challengeEnded()
  throw new ApiError('authorization/not-allowed', { message, reason: result })
}

function ownSessionMissing(): ApiError {
  return new ApiError('authorization/not-allowed', {
    message: 'Sign in to this account by your password or a passkey first, then accept the identity provider.',
    reason: 'own-session',
  })
}
