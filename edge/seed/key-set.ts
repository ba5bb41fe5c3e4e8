// Answers the key set of the demo's identity provider. Its private key is in `demo.json`, so that scripts can sign tokens.

import type { DemoFile } from './demo-file.ts'
import { KEY_SET_PATH } from './organisation.ts'

/** @returns The key set; undefined for every other request, and without a demo organisation. */
export function answerKeySet(demo: DemoFile | null, request: Request): Response | undefined {
  if (demo === null || request.method !== 'GET' || new URL(request.url).pathname !== KEY_SET_PATH) return undefined
  const { privateKeyJwk, algorithm, kid } = demo.environments.dev.identityProvider
  const { kty, n, e } = privateKeyJwk
  return Response.json(
    { keys: [{ kty, n, e, alg: algorithm, kid, use: 'sig' }] },
    { headers: { 'cache-control': 'max-age=60' } },
  )
}
