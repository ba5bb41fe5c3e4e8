// Tests what is refused when a layout is saved, and that a stored one is still sent.

import { expect, test } from 'vitest'
import { createRenderLayout, findLayoutFault } from './render-layout.ts'

const column = (content: string) =>
  `<mjml><mj-body><mj-section><mj-column>${content}</mj-column></mj-section></mj-body></mjml>`
const mjml = (layout: string) => ({ layout, layoutFormat: 'mjml' as const })

test('an unknown element is refused with its place, and a stored layout with one is still sent', () => {
  const layout = column('\n<mj-txt>{{ content }}</mj-txt>')
  const message = 'This is no MJML: there is no element mj-txt on line 2.'
  expect(findLayoutFault(mjml(layout))).toEqual({ message, position: layout.indexOf('<mj-txt') })
  const values = {
    content: '<p>Hello</p>',
    subject: '',
    preheader: '',
    senderName: '',
    unsubscribeUrl: '',
    preferencesUrl: '',
  }
  expect(createRenderLayout()(mjml(layout), values)).toContain('<p>Hello</p>')
})

test('the fault of what MJML becomes says that it means the HTML', () => {
  const { message } =
    findLayoutFault(mjml(column(`<mj-text>{{ content }}</mj-text>${'<mj-text/>'.repeat(4000)}`))) ?? {}
  expect(message).toMatch(/^In the HTML that it becomes: .*524288 characters/)
  expect(findLayoutFault(mjml(column('<mj-text>{{ content | foo }}</mj-text>')))?.message).toMatch(
    /^In the HTML that it becomes: /,
  )
})
