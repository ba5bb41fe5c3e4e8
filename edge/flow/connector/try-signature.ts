// Tries the verification of a source with a pasted request: both signatures and what is signed, never the secret.

import { LARGE_BODIES } from '../../../contract/limits.ts'
import type { SignatureTrial, SignatureTrialAnswer } from '../../../contract/resources/source.ts'
import type { ChangedBy } from '../../domain/audit.ts'
import type { ConnectorCall, SignatureParts, SourceChecks } from '../../domain/connector/connector.ts'
import { type StoredSource, secretKindOf } from '../../domain/connector/source.ts'
import type { Core } from '../../domain/core.ts'
import { isLive } from '../../domain/secret.ts'
import { ApiError } from '../../lib/api-error.ts'
import { parsePastedRequest } from '../../lib/pasted-request.ts'
import { checkPlatform } from './check-conditions.ts'

type Taken = Pick<Core, 'sources' | 'secrets' | 'audit' | 'open' | 'connectors' | 'publicUrl' | 'clock'>

export type TrySignature = (
  environmentId: number,
  sourceId: string,
  trial: SignatureTrial,
  by: ChangedBy,
) => Promise<SignatureTrialAnswer>

const MAX_SHOWN_CHARS = 65_536
const MAX_SHOWN_SIGNATURES = 10

/** Throws `source/not-found`, and `request/invalid-body` for a text that is no request and for other platforms. */
export function createTrySignature(deps: Taken): TrySignature {
  return async function trySignature(environmentId, sourceId, { request, settings }, by) {
    const source = await deps.sources.find(environmentId, sourceId)
    if (source === undefined) throw new ApiError('source/not-found')
    const { examine, verify } = deps.connectors[source.provider]
    if (examine === undefined) {
      const message = 'Only sources of hmac and standardwebhooks have a trial: the scheme of this platform is fixed.'
      throw new ApiError('request/invalid-body', { message })
    }
    checkPlatform(source, { settings })
    const checks: SourceChecks = settings === undefined ? source : { ...source, settings }
    const call = toCall(deps, source, request)
    // A signature of any body is worth as much as a look at the secret.
    const entry = { at: call.now, ...by, action: 'source.try', environmentId, subject: sourceId, detail: {} }
    await deps.audit.record(entry)
    const values = await readSecrets(deps, source)
    const verdicts = values.map((value) => ({ value, verdict: verify(call, value, checks) }))
    const matching = ({ value }: { value: string }) => isExpected(examine(call, value, checks))
    const chosen = verdicts.find(({ verdict }) => verdict.ok) ?? verdicts.find(matching) ?? verdicts[0]
    if (chosen === undefined) throw new ApiError('request/conflict', { message: 'The source has no live secret.' })
    const parts = examine(call, chosen.value, checks)
    return toAnswer(parts, chosen.verdict.ok ? null : chosen.verdict.reason)
  }
}

async function readSecrets({ secrets, open, clock }: Taken, source: StoredSource): Promise<string[]> {
  const kept = await secrets.list(source.environmentId, secretKindOf(source))
  const live = kept.filter((secret) => isLive(secret, clock.now()))
  return Promise.all(live.flatMap(({ sealed }) => (sealed === null ? [] : [open(sealed)])))
}

/** The address is that of the source, unless the request line has another path. */
function toCall({ publicUrl, clock }: Taken, source: StoredSource, request: string): ConnectorCall {
  const { method, target, headers, body } = parsePastedRequest(request, 'request')
  if (Buffer.byteLength(body) > LARGE_BODIES.deliveryBytes) {
    throw new ApiError('request/payload-too-large', {
      message: `The body is larger than ${LARGE_BODIES.deliveryBytes} bytes.`,
    })
  }
  const base = publicUrl().replace(/\/$/, '')
  const path = target ?? `/v1/connectors/${source.provider}/${source.publicId}`
  const url = path.startsWith('/') ? base + path : path
  return { method, url, headers, body: Buffer.from(body), now: clock.now() }
}

const isExpected = ({ received, expected }: SignatureParts) => expected !== null && received.includes(expected)

function toAnswer(parts: SignatureParts, reason: string | null): SignatureTrialAnswer {
  const { received, expected, signed, timestamp } = parts
  return {
    ok: reason === null,
    reason,
    matches: reason === null || isExpected(parts),
    expected,
    received: received.slice(0, MAX_SHOWN_SIGNATURES),
    signedString: signed?.toString().slice(0, MAX_SHOWN_CHARS) ?? null,
    timestamp,
  }
}
