// Parses the setting RATE_LIMITS: the limits of a deployment by class.

import type { CallLimits } from '../../../contract/tenant.ts'
import { Fault } from '../../lib/settings/setting.ts'
import { findLimit, isLimitedClass } from './call-limits.ts'

const DEFAULT_RATE_LIMITS: CallLimits = { auth: 1200, inbox: 1200, track: null, management: null, webhooks: null }

/** @throws Fault that says what is expected */
export function parseRateLimits(value: string | undefined): CallLimits {
  if (value === 'off') return { auth: null, inbox: null, track: null, management: null, webhooks: null }
  const limits: CallLimits = { ...DEFAULT_RATE_LIMITS }
  const named = new Set<string>()
  for (const part of (value ?? '').split(',')) {
    const [name = '', text = ''] = part.trim().split('=')
    const limit = findLimit(text)
    if (!isLimitedClass(name) || limit === undefined || part.split('=').length !== 2) {
      throw new Fault('`off`, or a list such as `auth=1200,inbox=1200,track=off,management=off,webhooks=off`.')
    }
    if (named.has(name)) throw new Fault('a list that names each part once.')
    named.add(name)
    limits[name] = limit
  }
  return limits
}
