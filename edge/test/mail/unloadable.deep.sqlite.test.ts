// Tests that mails which cannot be loaded delay no other one, and are given up without being loaded once they ended a process.
// SQLite alone: the versions are changed in its file.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import { markOfMail } from '../../domain/in-hand.ts'
import { systemClock } from '../../lib/clock.ts'
import { parseId } from '../../lib/id.ts'
import { spoilVersions } from '../../stores/test/spoil-versions.ts'
import { addSmtp } from '../support/add-integration.ts'
import { type GivenEdge, givenEdge } from '../support/given.ts'
import { type GivenSmtp, givenSmtp } from '../support/given-smtp.ts'
import { openSandbox } from '../support/open-sandbox.ts'
import { openStoresOf } from '../support/open-stores.ts'

let smtp: GivenSmtp
let given: GivenEdge

beforeAll(async () => {
  smtp = await givenSmtp()
  given = await givenEdge({}, { mailPausesMs: { attempts: [3000, 1, 1, 1, 1] } })
  await openSandbox(given)
})
afterAll(async () => {
  await given.stop()
  await smtp.stop()
})

interface Listed {
  messageId: string
  status: string
  statusReason: string | null
  lastError: string | null
}

async function mailTo(name: string): Promise<Listed | undefined> {
  return (await given.call<Page<Listed>>('GET', `/v1/deliveries?userId=${name}`, { key: keyOf() })).body.data[0]
}

const keyOf = () => given.demo.environments.dev.sdkSecretKey

test('its neighbours are sent, it says why it waits, and one that ended two processes is given up', async () => {
  await addSmtp(given, smtp)
  smtp.refuse = () => ({ code: 451, message: '4.3.2 Later, please' })
  const campaigns = new Map<string, string>()
  for (const name of ['sound', 'faulty', 'deadly']) {
    const steps = [{ id: 'tell', type: 'email', subject: name, html: '<p>Hello</p>' }]
    campaigns.set(name, await given.publish({ key: name, trigger: { event: name }, steps }))
    await given.track({ name, userId: name, user: { email: `${name}@example.org` } })
    await expect
      .poll(() => mailTo(name))
      .toMatchObject({ status: 'sending', lastError: expect.stringContaining('451') })
  }
  const deadly = await mailTo('deadly')
  await given.edge.close()
  smtp.refuse = () => null

  for (const name of ['faulty', 'deadly']) {
    await spoilVersions(given.dataDir, parseId('campaign', campaigns.get(name) ?? '') ?? 0)
  }
  const stores = await openStoresOf({ DATA_DIR: given.dataDir }, systemClock)
  const environmentId = parseId('environment', given.demo.environments.dev.id) ?? 0
  const mark = markOfMail({ environmentId, messageId: parseId('message', deadly?.messageId ?? '') ?? 0 })
  for (let ends = 0; ends < 2; ends++) await stores.givenUps.recordCrashes([mark], systemClock.now())
  await stores.close()

  await given.restart()
  await expect.poll(() => mailTo('sound')).toMatchObject({ status: 'sent' })
  await expect
    .poll(() => mailTo('faulty'))
    .toMatchObject({ lastError: expect.stringContaining('unknown type: nothing') })
  await expect
    .poll(() => mailTo('deadly'))
    .toMatchObject({ status: 'failed', statusReason: 'retries-exhausted', lastError: expect.stringContaining('twice') })
})
