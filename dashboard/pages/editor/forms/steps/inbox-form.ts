// Renders the form of the step `inbox`: its texts by locale, how it looks, its link and actions, and what is rare.

import { html, type TemplateResult } from 'lit'
import { ACTION_STYLES, type ActionStyle } from '../../../../../contract/delivery.ts'
import { type Path, readAt } from '../../../../editor/step-tree.ts'
import { segments } from '../../../../elements/segments.ts'
import { durationField } from '../duration-field.ts'
import { edit, type Form, faultOnly, isGiven, more, segmentsField, templateField } from '../form-field.ts'
import { jsonField } from '../json-field.ts'
import { listRows } from '../list-rows.ts'
import { INBOX_PARTS } from '../locale-gaps.ts'
import '../locale-tabs.ts'
import { iconField, priorityField } from '../look-fields.ts'

export const INBOX_FIELDS = [
  'title',
  'body',
  'bodyFormat',
  'link',
  'icon',
  'imageUrl',
  'entity',
  'collapseKey',
  'actions',
  'priority',
  'expiresAfter',
  'data',
  'locales',
]
const RARE = ['imageUrl', 'collapseKey', 'expiresAfter', 'entity', 'data']

export function inboxForm(form: Form, path: Path): TemplateResult {
  const at = (key: string): Path => [...path, key]
  const texts = (own: Path, locale: string | null) => html`
    ${templateField(form, { path: [...own, 'title'], label: 'Title', isRequired: locale === null })}
    ${templateField(form, { path: [...own, 'body'], label: 'Body', rows: 3, ...(locale === null && { tools: formatTools(form, at('bodyFormat')) }) })}
    ${locale === null ? faultOnly(form, at('bodyFormat')) : ''}`
  return html`
    <nc-locale-tabs .form=${form} .path=${path} .parts=${INBOX_PARTS} .content=${texts}></nc-locale-tabs>
    ${templateField(form, { path: at('link'), label: 'Link', hint: 'Opens when the message is clicked: an address, or a path of your site.' })}
    ${listRows(form, {
      path: at('actions'),
      label: 'Buttons',
      item: 'Button',
      add: 'Add a button',
      isOrdered: true,
      newItem: () => ({ label: '' }),
      row: (own) => actionFields(form, own),
    })}
    ${iconField(form, at('icon'))} ${priorityField(form, at('priority'))}
    ${more(
      isGiven(form, path, RARE),
      html`
        ${templateField(form, { path: at('imageUrl'), label: 'Picture', hint: 'The address of an image.' })}
        ${templateField(form, { path: at('collapseKey'), label: 'Replaces messages with the same key', hint: 'A later message with this key takes the place of an earlier one.' })}
        ${durationField(form, { path: at('expiresAfter'), label: 'Expires after' })}
        ${templateField(form, { path: at('entity'), label: 'Entity', hint: 'What it is about, such as an order: by it your site finds its messages.' })}
        ${jsonField(form, { path: at('data'), label: 'Data for your site', hint: 'JSON. The texts in it may have variables.' })}
      `,
    )}
  `
}

function formatTools(form: Form, path: Path): TemplateResult {
  const current = readAt(form.draft, path) === 'markdown' ? 'markdown' : 'text'
  const choices = [['text', 'Plain text'] as const, ['markdown', 'Markdown'] as const]
  const choose = (next: 'text' | 'markdown') =>
    form.mayChange && next !== current && edit(form, path, next === 'text' ? undefined : next, 'Format of the body')
  return segments('Format of the body', choices, current, choose)
}

const STYLES: Readonly<Record<ActionStyle, string>> = { default: 'Plain', primary: 'Main', danger: 'Danger' }

function actionFields(form: Form, path: Path): TemplateResult {
  const style = [...path, 'style']
  const value = readAt(form.draft, style)
  const current = ACTION_STYLES.find((one) => one === value) ?? 'default'
  return html`
    ${templateField(form, { path: [...path, 'label'], label: 'Label', isRequired: true })}
    ${templateField(form, { path: [...path, 'link'], label: 'Link' })}
    ${segmentsField(form, {
      path: style,
      label: 'Look',
      choices: ACTION_STYLES.map(
        (one) => [one, html`<span class="action-look" data-style=${one}>${STYLES[one]}</span>`] as const,
      ),
      current,
      choose: (next) => edit(form, style, next === 'default' ? undefined : next, 'Look of a button'),
    })}
  `
}
