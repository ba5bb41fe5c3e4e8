// Tests that no value becomes markup, and that inlining changes nothing but styles: trees of generated mails are compared.
// More: `NC_MAIL_TREES=100000`, with a seed of its own or that of `NC_SEED`.

import { parse } from 'parse5'
import { expect, test } from 'vitest'
import type { EmailLook } from '../../../contract/resources/notification-config.ts'
import { quoteAttributes } from '../../campaign/expression/html-attributes.ts'
import { TemplateError } from '../../campaign/expression/template.ts'
import { createRandom } from '../../campaign/expression/test/random.ts'
import { compileMail } from '../../campaign/steps/email.ts'
import { NO_LINK_RULES } from '../../domain/tenant/link-rules.ts'
import { createRenderLayout } from '../../flow/mail/render-layout.ts'
import { type GeneratedMail, generateMail } from '../test/generate-mail.ts'
import { listElements, type PageElement } from '../test/page-tree.ts'
import { createMailComposer } from './compose-mail.ts'
import { inlineStyles } from './inline-styles.ts'

const TREES = Number(process.env.NC_MAIL_TREES ?? 400)
const isLong = process.env.NC_MAIL_TREES !== undefined
const SEED = Number(process.env.NC_SEED ?? (isLong ? Math.floor(Math.random() * 2 ** 32) : 7))

const composer = createMailComposer({
  publicUrl: () => 'https://nc.example/',
  links: {
    open: () => 'https://nc.example/o',
    click: () => 'https://nc.example/c',
    unsubscribe: () => 'https://nc.example/u',
    preferences: () => 'https://nc.example/p',
  },
  renderLayout: createRenderLayout(),
})
const LOOK: EmailLook = {
  ...{ senderName: null, senderAddress: null, replyTo: null, layout: null },
  ...{ layoutFormat: 'html', tracking: { opens: true, clicks: true } },
}
const NOTHING = { user: {}, enriched: {}, events: [], campaign: {}, env: {} }

async function compose({ html, layout, value }: GeneratedMail): Promise<string> {
  const step = {
    id: 'm',
    type: 'email',
    subject: '{{ event.properties.v }}',
    preheader: '{{ event.properties.v }}',
    html,
  }
  const scope = { ...NOTHING, event: { properties: { v: value } } }
  const { render } = compileMail(step as never)
  const mail = await composer.compose({
    ...{ messageId: 7, environmentId: 3, userId: 'ada', locale: null, isCritical: false, tracksItself: true },
    content: render(scope, { category: null, locale: null, fallbackTitle: 'x' }),
    to: { name: null, address: 'ada@example.org' },
    from: { name: value, address: 'shop@example.com' },
    links: NO_LINK_RULES,
    look: layout === null ? undefined : { ...LOOK, layout },
  })
  return mail.html
}

/** Elements with the names of their attributes: what a value must not change. A forbidden address is removed with its attribute. */
const shapeOf = (html: string) =>
  listElements(parse(html)).map(({ path, attributes }) => {
    const names = Object.keys(attributes).filter(
      (name) => !/^(?:style|href|src|background|cite|xlink:href)$/.test(name),
    )
    return `${path} ${names.join(' ')}`
  })

/** Behind markup that parsers read in different ways, attributes that print values get no quotation marks. */
const isOpen = ({ html, layout }: GeneratedMail) =>
  /\s[\w:-]+=[^\s"'<>]*\{\{/.test(quoteAttributes(html) + quoteAttributes(layout ?? ''))

const withoutStyle = ({ path, attributes: { style: _, ...attributes }, text }: PageElement) => ({
  path,
  attributes,
  text,
})

test(`a value changes no element of ${TREES} mails (NC_SEED=${SEED})`, async () => {
  for (let tree = 0; tree < TREES; tree++) {
    const mail = generateMail(createRandom(SEED + tree))
    if (isOpen(mail)) continue
    const about = `NC_SEED=${SEED + tree} ${JSON.stringify(mail)}`
    const hostile = await compose(mail).catch((error: unknown) => {
      if (error instanceof TemplateError) return undefined
      throw new Error(about, { cause: error })
    })
    if (hostile === undefined) continue
    const plain = await compose({ ...mail, value: 'x' })
    expect(shapeOf(hostile), about).toEqual(shapeOf(plain))
    const hrefs = listElements(parse(hostile)).flatMap(({ attributes: { href = '' } }) => href)
    expect(
      hrefs.filter((href) => /^\s*javascript:/i.test(href)),
      about,
    ).toEqual([])
  }
})

test(`inlining changes nothing but styles of ${TREES} pages (NC_SEED=${SEED})`, () => {
  for (let tree = 0; tree < TREES; tree++) {
    const { html, layout, value } = generateMail(createRandom(SEED + tree))
    // Printed as it is: here the author writes what a value must not.
    const page = `${layout ?? ''}${html}`.replaceAll(/\{\{.*?\}\}/g, () => value)
    const before = listElements(parse(page)).map(withoutStyle)
    expect(listElements(parse(inlineStyles(page).html)).map(withoutStyle), `NC_SEED=${SEED + tree}`).toEqual(before)
  }
})
