// Serves the second factor of people: the second step of a sign-in, one-time codes and recovery codes.

import { z } from '@hono/zod-openapi'
import {
  codeField,
  factorProof,
  me,
  newTotp,
  passwordField,
  recoveryCodes,
  secondFactor,
} from '../../../contract/resources/own-account.ts'
import type { FactorState } from '../../flow/people/manage-factor.ts'
import { toIso } from '../../lib/clock.ts'
import { changedByPerson } from '../kernel/callers.ts'
import type { Http } from '../kernel/http.ts'
import { addRoute } from '../kernel/route.ts'
import type { CallHead } from '../kernel/route-spec.ts'
import type { Services } from '../kernel/services.ts'
import { beginSession, originOf, type SignInServices } from './begin-session.ts'
import { requireFullSession } from './full-session.ts'
import { requireOwnOrigin } from './own-origin.ts'

type SecondStep = SignInServices & Pick<Services, 'signInPerson' | 'attempts' | 'publicUrl'>
type OwnFactor = Pick<Services, 'manageFactor' | 'attempts'>

const PATH = '/v1/dashboard/auth'
const MAX_BYTES = 8 * 1024
const CHANGE_ERRORS = ['request/conflict', 'request/rate-limited'] as const
const OWN = { tag: 'Dashboard second factor', caller: 'person', guards: [requireFullSession] } as const

function toState({ totp, recoveryCodesLeft }: FactorState) {
  const { isOn, confirmedAt } = totp
  return { totp: { isOn, since: confirmedAt === null ? null : toIso(confirmedAt) }, recoveryCodesLeft }
}

export function addDashboardSecondFactorRoutes(http: Http, services: SecondStep & OwnFactor): void {
  addSecondStep(http, services)
  addTotpRoutes(http, services)
  addRemovalRoutes(http, services)
}

function addSecondStep(
  http: Http,
  { signInPerson, challengeCookies, attempts, publicUrl, ...session }: SecondStep,
): void {
  const cookie = challengeCookies['second-factor']
  addRoute(
    http,
    {
      method: 'post',
      path: `${PATH}/sign-in/second-factor`,
      summary: 'Finish a sign-in with a one-time code or a recovery code; the challenge is a cookie',
      tag: 'Dashboard sign-in',
      caller: 'none',
      guards: [({ c }: CallHead<'none'>) => requireOwnOrigin(c, publicUrl)],
      body: z.object({ code: codeField }).openapi('SecondFactorCode'),
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: me },
      errors: ['auth/unauthenticated', 'authorization/not-allowed', 'request/rate-limited'],
    },
    async (call) => {
      const challenge = cookie.read(call.c)
      const origin = { ...originOf(call), device: session.deviceCookie.read(call.c) }
      const answer = () => signInPerson.answerChallenge(challenge, call.body.code, origin)
      return beginSession(session, call, await attempts.limit(call.c, challenge ?? 'second-factor', answer))
    },
  )
}

function addTotpRoutes(http: Http, { manageFactor, attempts }: OwnFactor): void {
  addRoute(
    http,
    {
      ...OWN,
      method: 'get',
      path: `${PATH}/second-factor`,
      summary: 'Read whether one-time codes are on, and how many recovery codes are left',
      answer: { status: 200, schema: secondFactor },
      errors: [],
    },
    async ({ signedIn }) => toState(await manageFactor.read(signedIn.person.id)),
  )
  addRoute(
    http,
    {
      ...OWN,
      method: 'post',
      path: `${PATH}/totp`,
      summary: 'Make a secret of one-time codes; it is in this answer alone, and counts after the first code',
      body: z.object({ password: passwordField }).openapi('TotpBegin'),
      maxBytes: MAX_BYTES,
      answer: { status: 201, schema: newTotp },
      errors: CHANGE_ERRORS,
    },
    async ({ signedIn, body }) => {
      const begin = () => manageFactor.begin(signedIn, body.password)
      const { secret, url, expiresAt } = await attempts.limitOwn(signedIn, begin)
      return { secret, url, expiresAt: toIso(expiresAt) }
    },
  )
  addRoute(
    http,
    {
      ...OWN,
      method: 'post',
      path: `${PATH}/totp/confirm`,
      summary: 'Switch one-time codes on by the first code; ends all other sessions',
      body: z.object({ code: codeField }).openapi('TotpConfirmation'),
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: recoveryCodes },
      errors: CHANGE_ERRORS,
    },
    async (call) => {
      const { signedIn, body } = call
      const confirm = () => manageFactor.confirm(signedIn, body.code, changedByPerson(call))
      return { recoveryCodes: await attempts.limitOwn(signedIn, confirm) }
    },
  )
}

function addRemovalRoutes(http: Http, { manageFactor, attempts }: OwnFactor): void {
  addRoute(
    http,
    {
      ...OWN,
      method: 'post',
      path: `${PATH}/totp/off`,
      summary: 'Switch one-time codes off, with password and code',
      body: factorProof,
      maxBytes: MAX_BYTES,
      answer: { status: 200, schema: secondFactor },
      errors: CHANGE_ERRORS,
    },
    async (call) => {
      const { signedIn, body } = call
      const switchOff = () => manageFactor.switchOff(signedIn, body, changedByPerson(call))
      await attempts.limitOwn(signedIn, switchOff)
      return toState(await manageFactor.read(signedIn.person.id))
    },
  )
  addRoute(
    http,
    {
      ...OWN,
      method: 'post',
      path: `${PATH}/recovery-codes`,
      summary: 'Replace all recovery codes, with password and code',
      body: factorProof,
      maxBytes: MAX_BYTES,
      answer: { status: 201, schema: recoveryCodes },
      errors: CHANGE_ERRORS,
    },
    async (call) => {
      const { signedIn, body } = call
      const renew = () => manageFactor.renewCodes(signedIn, body, changedByPerson(call))
      return { recoveryCodes: await attempts.limitOwn(signedIn, renew) }
    },
  )
}
