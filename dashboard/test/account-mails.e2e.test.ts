// Tests invitations and resets by mail, from the page over a real SMTP server to the link of the mail, opened in a browser.

import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type GivenSmtp, givenSmtp, type ReceivedMail } from '../../edge/test/support/given-smtp.ts'
import {
  findViolationsAround,
  type GivenDashboard,
  givenDashboard,
  signIn,
  visit,
  visitSignedIn,
} from './given-dashboard.ts'

let smtp: GivenSmtp
let given: GivenDashboard
beforeAll(async () => {
  smtp = await givenSmtp()
  given = await givenDashboard({
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}?tls=none`,
    EMAIL_FROM: 'Engines <hello@engines.example>',
    OUTBOUND_ALLOW: '127.0.0.0/8',
  })
})
afterEach(() => {
  smtp.behave = () => 'take'
})
afterAll(async () => {
  await given?.stop()
  await smtp?.stop()
})

/** @returns the link of the newest mail to an address, which the HTML part has too */
async function linkTo(address: string, count = 1): Promise<string> {
  const mails = (): ReceivedMail[] => smtp.mails.filter(({ to }) => to[0] === address)
  await expect.poll(() => mails().length).toBe(count)
  const { text = '', html = '' } = mails().at(-1)?.parsed ?? {}
  const link = /http:\S+#nc_\S+/.exec(text)?.[0] ?? ''
  expect(html).toContain(`href="${link}"`)
  return link
}

async function invite(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Invite a member' }).click()
  await page.getByText('The person gets a mail with a link').waitFor()
  await page.getByLabel('E-mail address').fill(email)
  await page.keyboard.press('Enter')
  await page.getByText(`${email} is invited. The mail is on its way.`).waitFor()
}

test('an owner invites, and the person joins by the link of the mail', async () => {
  const owner = await visitSignedIn(given, given.address('members'), 'Members')
  await invite(owner.page, 'ada@example.com')
  const row = owner.page.getByRole('row', { name: /ada@example\.com/ })
  await row.getByText('Mail sent').waitFor()
  expect(await findViolationsAround(owner.page)).toEqual([])

  const person = await visit(given, await linkTo('ada@example.com'))
  await person.page.getByLabel('Your name').fill('Ada')
  await person.page.locator('#password').fill('a password of Ada')
  await person.page.getByRole('button', { name: 'Join' }).click()
  await person.page.getByRole('button', { name: /^Account: Ada/ }).waitFor()
  await owner.page.reload()
  await owner.page.getByRole('row', { name: /^Ada/ }).waitFor()
  expect([...owner.faults, ...person.faults]).toEqual([])
  await owner.page.context().close()
  await person.page.context().close()
})

test('a mail that the server refuses is shown with its reason, and sent again with a new link', async () => {
  smtp.behave = () => ({ code: 550, message: 'No mailbox of that name' })
  const { page, faults } = await visitSignedIn(given, given.address('members'), 'Members')
  await invite(page, 'grace@example.com')
  const row = page.getByRole('row', { name: /grace@example\.com/ })
  await row.getByText('Mail not sent').waitFor()
  await row.getByText('No mailbox of that name').waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  smtp.behave = () => 'take'
  await row.getByRole('button', { name: 'Send again' }).click()
  await row.getByText('Mail sent').waitFor()
  expect(await row.getByText('No mailbox of that name').count()).toBe(0)
  const person = await visit(given, await linkTo('grace@example.com'))
  await person.page.getByRole('button', { name: 'Join' }).waitFor()
  await person.page.locator('#password').fill('a password of Grace')
  await person.page.getByRole('button', { name: 'Join' }).click()
  await person.page.getByRole('button', { name: /^Account:/ }).waitFor()
  expect([...faults, ...person.faults]).toEqual([])
  await page.context().close()
  await person.page.context().close()
})

test('a person who forgot the password sets a new one by the link of the mail', async () => {
  const { email } = await given.join('lost@example.com', 'viewer')
  const { page, faults } = await visit(given, `${given.url}/sign-in`)
  await page.getByRole('link', { name: /forgot/i }).click()
  await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Request a link' }).click()
  await page.getByRole('heading', { level: 1, name: 'Check your mail' }).waitFor()
  expect(await findViolationsAround(page)).toEqual([])
  // The first mail is the invitation.
  await page.goto(await linkTo(email, 2))
  await page.locator('#password').fill('another password')
  const removes = page.getByRole('checkbox', { name: /^Remove all my passkeys/ })
  expect(await removes.isChecked()).toBe(false)
  await removes.check()
  expect(await findViolationsAround(page)).toEqual([])
  const sent = page.waitForRequest('**/password-reset/confirm')
  await page.getByRole('button', { name: 'Set the password' }).click()
  expect((await sent).postDataJSON()).toMatchObject({ removePasskeys: true })
  await page.getByRole('heading', { level: 1, name: 'Your password is changed' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn(page, given, { email, password: 'another password' })
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  expect(faults).toEqual([])
  await page.context().close()
})
