// Tests that a fault of ours between two providers loses neither the answer of the first nor the mail.

import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import { addPostmark, addSmtp } from '../support/add-integration.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenMailApi, givenMailApi } from '../support/given-mail-api.ts'
import { type GivenSmtp, givenSmtp } from '../support/given-smtp.ts'
import { openSandbox } from '../support/open-sandbox.ts'

let smtp: GivenSmtp
let api: GivenMailApi
let given: GivenEdge
let key: string

beforeAll(async () => {
  smtp = await givenSmtp()
  api = await givenMailApi()
  given = await givenEdge(api.env, { outbound: api.outbound, mailPausesMs: { attempts: [1, 1, 1, 1, 1] } })
  await openSandbox(given)
  key = given.demo.environments.dev.sdkSecretKey
})
afterAll(async () => {
  await given.stop()
  await Promise.all([smtp.stop(), api.stop()])
})

/** Ends the processes in which mails are composed, as a system without memory does. */
function endSandboxes(): void {
  const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  for (const line of children.split('\n')) {
    const [pid] = line.trim().split(' ')
    if (line.includes('--max-old-space-size=96') && pid) process.kill(Number(pid), 'SIGKILL')
  }
}

test('a mail that cannot be composed for the second provider keeps the answer of the first, and is sent later', async () => {
  await addSmtp(given, smtp)
  await addPostmark(given, api, 2)
  await given.publish({
    key: 'letters',
    trigger: { event: 'letter' },
    steps: [{ id: 'tell', type: 'email', subject: 'Hello', html: '<p>Hello</p>' }],
  })
  let ending: NodeJS.Timeout | undefined
  smtp.refuse = () => {
    // Before the answer, so that the next composing finds none.
    endSandboxes()
    ending ??= setInterval(endSandboxes, 20)
    return { code: 451, message: '4.3.2 Later, please' }
  }
  await given.track({ name: 'letter', userId: 'ada', user: { email: 'ada@example.org' } })
  const list = async () => (await given.call<Page<object>>('GET', '/v1/deliveries?userId=ada', { key })).body.data
  await expect
    .poll(list)
    .toMatchObject([{ status: 'sending', attempts: 1, lastError: expect.stringContaining('Later') }])
  clearInterval(ending)
  await expect.poll(list).toMatchObject([{ status: 'sent', provider: 'postmark', attempts: 2 }])
  expect(api.calls).toHaveLength(1)
})
