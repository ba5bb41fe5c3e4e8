// Tests the pages outside of the dashboard in a Chromium with its window's parts: none of them reports an error.

import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CHROMIUM_FLAGS, programPath } from '../../tools/programs/programs.ts'
import { type GivenDashboard, givenDashboard, visit } from './given-dashboard.ts'

const CAMPAIGN = {
  key: 'left',
  name: 'Left',
  trigger: { event: 'user.left' },
  steps: [
    { id: 'mail', type: 'email', subject: 'Left', markdown: '[a]({{ unsubscribeUrl }}) [b]({{ preferencesUrl }})' },
  ],
}

/** The renderer of the reference looks whether it may build functions of text, and does without. The browser logs nothing. */
const TRIES_EVAL = /^error: policy violation: script-src eval \S+\/docs\/reference\.js$/

let given: GivenDashboard
/** The headless shell reads no icons. */
let browser: Browser
beforeAll(async () => {
  given = await givenDashboard()
  browser = await chromium.launch({ executablePath: programPath('chromium'), args: CHROMIUM_FLAGS })
})
afterAll(async () => {
  await browser?.close()
  await given?.stop()
})

/** @returns The addresses of the pages behind the links of a mail */
async function findLinks(): Promise<string[]> {
  const { id } = await given.call<{ id: string }>('POST', '/v1/campaigns', CAMPAIGN)
  await given.call('POST', `/v1/campaigns/${id}/publish`)
  await given.call('PUT', '/v1/users/left', { email: 'left@example.com' })
  await given.track({ name: 'user.left', userId: 'left' })
  let text = ''
  await expect
    .poll(async () => {
      const { data } = await given.call<{ data: { messageId: string }[] }>('GET', '/v1/email/mailbox')
      const [mail] = data
      if (mail === undefined) return ''
      text = (await given.call<{ text: string }>('GET', `/v1/email/mailbox/${mail.messageId}`)).text
      return text
    })
    .toContain('/v1/t/p/')
  return [...new Set(text.match(/\/v1\/t\/[up]\/[\w.-]+/g))]
}

test('no page outside of the dashboard reports an error', async () => {
  const links = await findLinks()
  expect(links).toHaveLength(2)
  for (const path of ['/nowhere', '/v1/t/u/nobody', '/v1/t/p/nobody', '/docs', ...links]) {
    const { page, faults } = await visit({ browser }, given.url + path)
    await page.waitForLoadState('networkidle')
    expect([path, faults.filter((fault) => !TRIES_EVAL.test(fault))]).toEqual([path, []])
    if (links.includes(path)) {
      await page.getByRole('button').first().click()
      await page.waitForLoadState('networkidle')
      expect([path, faults]).toEqual([path, []])
    }
    await page.context().close()
  }
})
