// Tests when a widget counts as signed in.

import { expect, test } from 'vitest'
import type { SecretRotation } from '../../../contract/resources/secret.ts'
import { SECRET_KINDS } from '../../../contract/tenant.ts'
import { widgetLightOf } from './widget-light.ts'

const AT = '2027-03-01T10:00:00.000Z'

function secrets(used: Partial<Record<string, 'current' | 'previous'>>): SecretRotation[] {
  return SECRET_KINDS.map((kind) => {
    const value = (of: string) => ({
      id: 'sec_1',
      createdAt: AT,
      lastUsedAt: used[kind] === of ? AT : null,
      retiresAt: null,
    })
    return { kind, state: 'single', until: null, current: value('current'), previous: value('previous') }
  })
}

test.each([
  ['nothing came', {}, false, 'waiting'],
  ['a backend tracked, which is no widget', { sdkSecretKey: 'current' }, false, 'waiting'],
  ['a page asked, and no token of it was right', { frontApiKey: 'current' }, false, 'refused'],
  ['a page asked in an environment that takes JWTs', { frontApiKey: 'current' }, true, 'signed-in'],
  ['a token was right', { frontApiKey: 'current', authSecretKey: 'current' }, false, 'signed-in'],
  ['a token was right before a rotation', { authSecretKey: 'previous' }, false, 'signed-in'],
] as const)('%s', (_, used, hasOtherTokens, state) => {
  expect(widgetLightOf(secrets(used), hasOtherTokens).state).toBe(state)
})
