// Decides from the keys when they were last used whether a widget has signed in. Trials of the dashboard count as no use.

import type { SecretRotation } from '../../../contract/resources/secret.ts'
import type { SecretKind } from '../../../contract/tenant.ts'

export type WidgetLight =
  | { state: 'waiting' }
  /** A page asked with the front API key, and its token was refused. */
  | { state: 'refused'; at: string }
  | { state: 'signed-in'; at: string }

/** @param hasOtherTokens Whether the environment also takes JWTs: of these no key of ours is used. */
export function widgetLightOf(secrets: readonly SecretRotation[], hasOtherTokens: boolean): WidgetLight {
  const usedAt = (kind: SecretKind): string | undefined => {
    const { current, previous } = secrets.find((one) => one.kind === kind) ?? {}
    return current?.lastUsedAt ?? previous?.lastUsedAt ?? undefined
  }
  const signed = usedAt('authSecretKey')
  if (signed !== undefined) return { state: 'signed-in', at: signed }
  const asked = usedAt('frontApiKey')
  if (asked === undefined) return { state: 'waiting' }
  return { state: hasOtherTokens ? 'signed-in' : 'refused', at: asked }
}
