// Tests that styles which cannot be read stop no mail, that their authors hear of them, and that a mail always comes to an end.
// SQLite alone: mails are composed after the store.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '../../../contract/api.ts'
import type { PreviewAnswer } from '../../../contract/resources/campaign-trial.ts'
import { type DashboardPerson, givenDashboard } from '../support/given-dashboard.ts'
import { type GivenMails, givenMails } from '../support/given-mails.ts'

let mails: GivenMails
let owner: DashboardPerson
beforeAll(async () => {
  mails = await givenMails()
  const { email, password } = mails.edge.demo.dashboard
  owner = await givenDashboard(mails.edge).signIn(email, password)
})
afterAll(() => mails.edge.stop())

/** The default layout has rules for all paragraphs, so the library reads the styles of these. */
const STYLES = ['color', 'width=100%', '*display:inline', "'", '&quot;', '1:2', '{', '@media x', '\\', '!important']

interface Warned {
  warnings: { path: string; line: number | null; message: string }[]
}

test.each(STYLES)('a mail with the style %j is sent, previewed and published with a warning', async (style) => {
  const name = `style.s${STYLES.indexOf(style)}`
  const id = await mails.publishMail(name, { html: `<p>first</p>\n<p style="${style}">x</p>` })
  const at = { path: 'html', line: 2, message: expect.stringContaining('style') }
  const path = `/v1/campaigns/${id}`
  const preview = await mails.edge.call<PreviewAnswer>('POST', `${path}/preview`, {
    key: mails.key,
    body: { stepId: 'mail' },
  })
  expect({ status: preview.status, warnings: preview.body.warnings }).toEqual({ status: 200, warnings: [at] })
  const published = await mails.edge.call<Warned>('POST', `${path}/publish`, { key: mails.key })
  expect(published.body.warnings).toEqual([{ ...at, path: 'steps[1].html' }])
  const sent = await mails.sendMail(name)
  expect(sent.html).toContain(`<p style="${style}">x</p>`)
  expect(sent.html).toMatch(/<p style="margin:[^"]*">first/)
})

test('a layout with a style that cannot be read is saved with a warning, and its mails are sent', async () => {
  const { organisation } = mails.edge.demo
  const path = `/v1/dashboard/organisations/${organisation.id}/notification-configs`
  const layout = '<style>p { margin: 0 }</style>\n<p style="width=100%">Shop</p>{{ content }}'
  const body = { name: 'Styles', email: { layout } }
  const saved = await owner.call<Warned & { id: string }>('POST', path, { body })
  const warning = { path: 'email.layout', line: 2, message: expect.stringContaining('style') }
  expect({ status: saved.status, warnings: saved.body.warnings }).toEqual({ status: 201, warnings: [warning] })
  const put = await owner.call<Warned>('PUT', `${path}/${saved.body.id}`, { body })
  expect(put.body.warnings).toEqual([warning])
  await mails.publishMail('style.layout', { markdown: 'Hello' }, { notificationConfigId: saved.body.id })
  expect((await mails.sendMail('style.layout')).html).toContain(
    '<p style="width=100%">Shop</p><p style="margin: 0;">Hello',
  )
})

test('a mail that cannot be composed ends with its reason after one attempt', async () => {
  const { organisation } = mails.edge.demo
  const layout = '{% for a in (1..60000) %}long enough to pass the limit{% endfor %}{{ content }}'
  const path = `/v1/dashboard/organisations/${organisation.id}/notification-configs`
  const config = await owner.call<{ id: string }>('POST', path, { body: { name: 'Endless', email: { layout } } })
  await mails.publishMail('layout.endless', { markdown: 'Hello' }, { notificationConfigId: config.body.id })
  const user = { email: 'ada@example.org' }
  const { eventId } = (await mails.edge.track({ name: 'layout.endless', userId: 'ada', user })).body
  const find = async () => {
    const list = `/v1/deliveries?eventId=${eventId}&channel=email`
    return (await mails.edge.call<Page<object>>('GET', list, { key: mails.key })).body.data[0]
  }
  await expect.poll(find, { timeout: 60_000 }).toMatchObject({
    status: 'failed',
    statusReason: 'render-error',
    attempts: 1,
    lastError: expect.stringMatching(/characters|costs|20000 items/),
  })
})

test('a property that is printed as a style stops no mail', async () => {
  const html = '<p style="{{ event.properties.style }}">x</p>'
  const id = await mails.publishMail('style.printed', { html })
  expect((await mails.sendMail('style.printed')).html).toMatch(/<p style="margin:[^"]*">x/)
  const event = { properties: { style: 'color' } }
  const body = { stepId: 'mail', event }
  const preview = await mails.edge.call<PreviewAnswer>('POST', `/v1/campaigns/${id}/preview`, { key: mails.key, body })
  expect(preview.body.warnings).toEqual([{ path: 'html', line: 1, message: expect.stringContaining('style') }])
  expect(preview.body.html).toContain('<p style="color">x</p>')
  const published = await mails.edge.call<Warned>('POST', `/v1/campaigns/${id}/publish`, { key: mails.key })
  expect(published.body.warnings).toEqual([])
})
