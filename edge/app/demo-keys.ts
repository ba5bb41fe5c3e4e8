// The key set of the demo's identity provider, where no demo shop answers for it (contract section 12): its private half is in `demo.json`, so that a script can sign.

import type { DemoFile } from '../flow/seed-demo.ts'

const PATH = '/demo/jwks.json'

/** Undefined for every other request, and without a demo organisation. */
export function answerDemoKeys(demo: DemoFile | null, request: Request): Response | undefined {
  if (demo === null || request.method !== 'GET' || new URL(request.url).pathname !== PATH) return undefined
  const { privateKeyJwk, algorithm, kid } = demo.environments.dev.identityProvider
  const { kty, n, e } = privateKeyJwk
  return Response.json(
    { keys: [{ kty, n, e, alg: algorithm, kid, use: 'sig' }] },
    { headers: { 'cache-control': 'max-age=60' } },
  )
}
