// Uses a running server over HTTP, as a customer without an SDK does: for tests of what is shipped.

import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { AuthAnswer } from '../../contract/api.ts'

interface Keys {
  frontApiKey: string
  authSecretKey: string
  sdkSecretKey: string
}

/** Waits until the server is ready. @returns after how many milliseconds */
export async function untilReady(url: string): Promise<number> {
  const begun = performance.now()
  const status = () =>
    fetch(`${url}/readyz`).then(
      (response) => response.status,
      () => 0,
    )
  await expect.poll(status).toBe(200)
  return performance.now() - begun
}

/** Tracks an event for a new user with an address, and waits for its message in their inbox. */
export async function expectFirstMessage(url: string, demoFile: string, userId: string): Promise<void> {
  const { sdkSecretKey } = keysOf(demoFile)
  await call('PUT', `${url}/v1/users/${userId}`, sdkSecretKey, { email: `${userId}@example.com` })
  await trackSignUp(url, demoFile, userId)
  await expect.poll(() => readTitles(url, demoFile, userId)).toEqual(['Welcome to Loam'])
}

/** Tracks the event that welcomes a user. */
export async function trackSignUp(url: string, demoFile: string, userId: string): Promise<void> {
  const { sdkSecretKey } = keysOf(demoFile)
  await call('POST', `${url}/v1/events/track`, sdkSecretKey, { sdkSecretKey, name: 'user.signed-up', userId })
}

/** Begins a session of the widget. */
export function signIn(url: string, demoFile: string, userId: string): Promise<AuthAnswer> {
  const { frontApiKey: apiKey, authSecretKey } = keysOf(demoFile)
  const token = createHmac('sha256', authSecretKey).update(userId).digest('hex')
  return call('POST', `${url}/v1/users/auth`, undefined, { apiKey, userId, token })
}

/** Signs a user in. @returns the titles of their messages */
export async function readTitles(url: string, demoFile: string, userId: string): Promise<string[]> {
  const { sessionToken } = await signIn(url, demoFile, userId)
  const page = await call<{ data: { title: string }[] }>('GET', `${url}/v1/inbox/messages`, sessionToken)
  return page.data.map(({ title }) => title)
}

function keysOf(demoFile: string): Keys {
  const demo = JSON.parse(readFileSync(demoFile, 'utf8')) as { environments: { dev: Keys } }
  return demo.environments.dev
}

async function call<T>(method: string, url: string, credential?: string, body?: object): Promise<T> {
  const headers = {
    ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const answer = await fetch(url, { method, headers, body: body === undefined ? null : JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as T
}
