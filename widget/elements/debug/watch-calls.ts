// Stands between an inbox and the service: each call, how long it took, and what the service said when it refused.

import type { AuthAnswer } from '../../../contract/api.ts'
import type { ErrorBody } from '../../../contract/errors.ts'
import { failureOf } from '../../lib/failure.ts'
import type { Call } from '../../transport/api.ts'
import type { Refusal, Watching } from './standing.ts'

const SIGN_IN = '/v1/users/auth'
const REGISTER = '/v1/notification/event/register'

export function watchCall(call: Call, { now, note, standing }: Watching): Call {
  const succeeded = (path: string, answer: unknown): void => {
    if (path === SIGN_IN) {
      const signedIn = answer as AuthAnswer
      const serverNow = Date.parse(signedIn.expiresAt) - signedIn.expiresIn * 1000
      const { environment, expiresAt, expiresIn } = signedIn
      Object.assign(standing, { signedIn: { environment, expiresAt, expiresIn }, signedInAt: now() })
      Object.assign(standing, { skewMs: now() - serverNow, refusal: undefined, signInAgainAt: undefined })
    }
    if (path === REGISTER) Object.assign(standing, { sentAt: now(), sendFailure: undefined })
    if (path.startsWith('/v1/inbox/changes')) standing.lastAskedAt = now()
    const { inbox } = answer as { inbox?: { epoch: string; seq: number } }
    if (inbox !== undefined) standing.lastSeen = { epoch: inbox.epoch, seq: inbox.seq }
  }
  const failed = (path: string, error: unknown): Refusal => {
    const refusal = refusalOf(error, now())
    if (path === SIGN_IN) standing.refusal = refusal
    if (path === REGISTER) standing.sendFailure = refusal
    return refusal
  }
  return async <T>(...[method, path, options]: Parameters<Call>): Promise<T> => {
    const begunAt = performance.now()
    const tell = (outcome: string): void =>
      note(`${method} ${path} → ${outcome} in ${Math.round(performance.now() - begunAt)} ms`)
    try {
      const answer = await call<T>(method, path, options)
      succeeded(path, answer)
      tell('done')
      return answer
    } catch (error) {
      const { status, code } = failed(path, error)
      tell(`${status === 0 ? 'no answer' : status} ${code}`)
      throw error
    }
  }
}

function refusalOf(error: unknown, at: number): Refusal {
  const { status, code, correlationId, retryAfterMs } = failureOf(error)
  const cause = error instanceof Error ? error.cause : undefined
  const { message, details } = (status === 0 ? {} : (cause ?? {})) as Partial<ErrorBody>
  const said = status === 0 && cause instanceof Error ? cause.name : message
  const listed = (details ?? []).map((detail) => `${detail.path}: ${detail.message}`)
  return { at, status, code, correlationId, retryAfterMs, said, details: listed }
}
