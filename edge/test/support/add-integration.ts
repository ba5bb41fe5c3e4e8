// Adds an integration of mails to the environment `dev` of an edge: the mail server or the API of a test.

import { expect } from 'vitest'
import type { GivenEdge } from './given.ts'
import type { GivenMailApi } from './given-mail-api.ts'
import type { GivenSmtp } from './given-smtp.ts'
import { EVENTS_OF } from './provider-events.ts'

type Given = Pick<GivenEdge, 'call' | 'demo'>

/** @returns its id */
async function add({ call, demo }: Given, provider: string, credentials: object, priority: number, name: string) {
  const body = { name, provider, credentials, priority, from: { address: 'shop@example.com' } }
  const key = demo.environments.dev.sdkSecretKey
  const answer = await call<{ id: string }>('POST', '/v1/email/integrations', { key, body })
  expect(answer.status).toBe(201)
  return answer.body.id
}

export const addSmtp = (given: Given, { host, port }: GivenSmtp, priority = 1, name = 'smtp') =>
  add(given, 'smtp', { host, port: String(port), tls: 'none' }, priority, name)

export const addPostmark = (given: Given, api: GivenMailApi, priority = 1, name = 'postmark') =>
  add(given, 'postmark', { ...api.credentialsOf(EVENTS_OF.POSTMARK), serverToken: 'token-4711' }, priority, name)
